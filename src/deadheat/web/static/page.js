"use strict";

const token = document.querySelector("meta[name=deadheat-token]").content;
const page = document.body.dataset.page;

async function run() {
  const form = new FormData();
  form.append("options", "{}");
  form.append("text", document.getElementById("text").value);
  const sent = await fetch(`/api/jobs/${page}`, {
    method: "POST",
    headers: { "X-Deadheat-Token": token },
    body: form,
  });
  let answer = await sent.json();
  const result = document.getElementById("result");
  while (answer.job && !["done", "failed", "cancelled"].includes(answer.state)) {
    answer = await (await fetch(`/api/jobs/${answer.job}?wait=20`)).json();
  }
  if (answer.result) {
    result.innerHTML = answer.result.html;
  } else {
    const error = answer.job ? answer.error : answer;
    result.textContent = `${error.error} ${error.fix}`;
  }
}

document.getElementById("run").addEventListener("click", run);
