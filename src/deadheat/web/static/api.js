// Work is asked of the server as a job: sent, watched, cancelled.

const TOKEN = document.querySelector('meta[name="deadheat-token"]').content;
const WAIT = 20;

/** What the library said instead of an answer, and what would resolve it. */
export class Refusal extends Error {
  constructor(error, fix = "") {
    super(error);
    this.fix = fix;
  }
}

async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(path, {
      ...options,
      headers: { "X-Deadheat-Token": TOKEN },
      cache: "no-store",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("deadheat does not answer: it seems to have been stopped.", "Start it again with `deadheat serve` and load this page anew.");
  }
  const body = await response.json().catch((error) => {
    if (error.name === "AbortError") throw error;
    return {};
  });
  if (!response.ok) {
    throw new Refusal(body.error || `The server answered ${response.status}.`, body.fix || "");
  }
  return body;
}

/** Send a form; the job's id. */
export async function submit(command, form, signal) {
  const path = command === "inspect" ? "/api/inspect" : `/api/jobs/${command}`;
  return (await ask(path, { method: "POST", body: form, signal })).job;
}

/** Wait for a job; `seen` is told how far it is. Its result, or a Refusal; null when cancelled. */
export async function watch(id, seen, signal) {
  let wait = 1;
  for (;;) {
    const job = await ask(`/api/jobs/${id}?wait=${wait}`, { signal });
    if (job.state === "done") return job.result;
    if (job.state === "failed") throw new Refusal(job.error.error, job.error.fix);
    if (job.state === "cancelled") return null;
    seen(job);
    // Progress moves: asked every second while it does, and let wait where there is none.
    wait = job.total ? 1 : Math.min(WAIT, wait + 1);
  }
}

export function cancel(id) {
  return ask(`/api/jobs/${id}/cancel`, { method: "POST" });
}

/** Free what a job holds; nobody is waiting for the answer. */
export function forget(id) {
  ask(`/api/jobs/${id}`, { method: "DELETE" }).catch(() => {});
}

/** A file of a finished job, as text. */
export async function text(href) {
  const response = await fetch(href, { headers: { "X-Deadheat-Token": TOKEN } });
  if (!response.ok) throw new Refusal("The file is no longer there.", "Run again.");
  return response.text();
}
