"""Requests that the page refuses: from elsewhere, too large, malformed, or after files."""

from __future__ import annotations

import json
import os
import shlex
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from deadheat.errors import UsageError
from deadheat.web.filenames import Folder, cleaned
from deadheat.web.guard import Rules
from deadheat.web.limits import Limits
from deadheat.web.options import checked
from local_page import CATALOGUE, Page, opened

PAIR = "a,b\n1,0\n0,1\n1,1\n1,0\n"
ACCESS = "a-long-enough-token"


@pytest.fixture(scope="module")
def small() -> Iterator[Page]:
    """A page with little room."""
    limits = Limits(upload=200_000, rows=100, files=3, workers=1, queue=3, patience=0.5)
    with opened(limits) as found:
        yield found


@pytest.fixture(scope="module")
def remote() -> Iterator[Page]:
    with opened(Limits(workers=1), Rules(access=ACCESS)) as found:
        yield found


def port(page: Page) -> int:
    return int(page.client.base_url.port)


def raw(page: Page, sent: bytes, seconds: float = 10.0) -> bytes:
    """Send bytes as they are and return what comes back until the connection ends."""
    with socket.create_connection(("127.0.0.1", port(page)), timeout=seconds) as link:
        link.sendall(sent)
        found = b""
        try:
            while piece := link.recv(65_536):
                found += piece
        except (TimeoutError, ConnectionError):
            pass
        return found


# Who asks


@pytest.mark.parametrize("path", ["/", "/compare", "/static/page.js", "/api/jobs/x", "/nothing"])
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost:1", ""])
def test_a_foreign_name_is_refused(page: Page, path: str, host: str) -> None:
    """A name that resolves to this machine makes its pages our origin (DNS rebinding)."""
    answer = page.client.get(path, headers={"Host": host}, follow_redirects=False)
    assert answer.status_code == 421


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_names_of_this_machine_are_known(page: Page, name: str) -> None:
    answer = page.client.get("/compare", headers={"Host": f"{name}:{port(page)}"})
    assert answer.status_code == 200


def test_two_hosts_are_refused(page: Page) -> None:
    sent = f"GET /compare HTTP/1.1\r\nHost: 127.0.0.1:{port(page)}\r\nHost: evil\r\n\r\n"
    assert b" 200 " not in raw(page, sent.encode()).split(b"\r\n")[0]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://127.0.0.1"},
        {"X-Deadheat-Token": "guess"},
        {"X-Deadheat-Token": ""},
        {"X-Deadheat-Token": "é"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT", "PATCH"])
def test_what_changes_anything_comes_from_the_page_itself(
    page: Page, method: str, headers: dict[str, str]
) -> None:
    given = {name: value.encode() for name, value in {**page.headers, **headers}.items()}
    for path in ("/api/jobs/compare", "/api/inspect", "/api/jobs/x/cancel", "/api/jobs/x"):
        assert page.client.request(method, path, headers=given).status_code == 403
    bare = page.client.request(method, "/api/jobs/compare")
    assert bare.status_code == 403


def test_every_answer_has_the_headers(page: Page) -> None:
    paths = ("/", "/compare", "/static/page.js", "/static/none.js", "/api/jobs/x", "/none", "/a/b")
    for path in paths:
        headers = page.client.get(path, follow_redirects=False).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == "'self'"
        assert policy["frame-ancestors"] == policy["form-action"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
        assert not any(name.startswith("access-control") for name in headers)
        assert "server" not in headers


def test_no_other_site_may_read(page: Page) -> None:
    preflight = page.client.options(
        "/api/jobs/compare",
        headers={"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"},
    )
    assert preflight.status_code == 403
    assert not any(name.startswith("access-control") for name in preflight.headers)


def test_forwarded_names_are_not_believed(page: Page) -> None:
    forwarded = {"X-Forwarded-Host": f"127.0.0.1:{port(page)}", "Forwarded": "host=127.0.0.1"}
    assert page.client.get("/compare", headers={"Host": "evil", **forwarded}).status_code == 421


# With an access token


def test_the_access_token_is_asked_of_every_request(remote: Page) -> None:
    for path in ("/", "/compare", "/static/page.js", "/api/jobs/x", "/none"):
        for query in ("", "?access=", "?access=wrong", "?access=%00"):
            answer = httpx.get(
                f"{remote.client.base_url}".rstrip("/") + path + query, trust_env=False
            )
            assert answer.status_code == 401
            assert remote.token not in answer.text
            assert "set-cookie" not in answer.headers


def test_the_token_that_was_shown_becomes_a_cookie(remote: Page) -> None:
    with httpx.Client(base_url=remote.client.base_url, trust_env=False) as client:
        answer = client.get(f"/compare?access={ACCESS}&x=1")
        assert answer.status_code == 200
        assert ACCESS not in answer.text
        assert remote.token not in answer.text
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert ACCESS not in cookie
        assert client.get("/compare").status_code == 200
        assert client.post("/api/jobs/compare").status_code == 403


def test_a_fault_of_ours_names_no_data(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise KeyError("secret")

    monkeypatch.setattr(page.app.state.pool, "open", fails)
    answer = page.post("compare", text=PAIR)
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "KeyError" in answer.json()["error"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_program_may_show_the_token_in_a_header(remote: Page) -> None:
    bearer = {"Authorization": f"Bearer {ACCESS}"}
    url = f"{remote.client.base_url}/compare"
    assert httpx.get(url, headers=bearer, trust_env=False).status_code == 200
    wrong = {"Authorization": "Bearer wrong"}
    assert httpx.get(url, headers=wrong, trust_env=False).status_code == 401


# Files


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/..%5capp.py",
        "/static//etc/passwd",
        "/static/page.js%00.css",
        "/static/.",
        "/static/app.py",
        "/../../etc/passwd",
        "/page.html",
        "/base.html",
    ],
)
def test_no_path_is_opened(page: Page, path: str) -> None:
    sent = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port(page)}\r\nConnection: close\r\n\r\n"
    answer = raw(page, sent.encode())
    assert answer.split(b"\r\n")[0].split()[1] in (b"404", b"400")
    assert b"root:" not in answer
    assert b"import" not in answer


@pytest.mark.parametrize(
    "name", ["../result.json", "..%2fresult.json", "%2e%2e%2fdata%2fdata.csv", "nothing", ".", ".."]
)
def test_downloads_are_those_that_are_listed(page: Page, name: str) -> None:
    job = page.post("compare", text=PAIR).json()["job"]
    assert page.end(job)["state"] == "done"
    sent = (
        f"GET /api/jobs/{job}/files/{name} HTTP/1.1\r\nHost: 127.0.0.1:{port(page)}\r\n"
        "Connection: close\r\n\r\n"
    )
    assert raw(page, sent.encode()).split(b"\r\n")[0].split()[1] == b"404"


HOSTILE_NAMES = [
    "../../../../etc/cron.d/evil",
    "/etc/passwd",
    "C:\\Windows\\evil.csv",
    "..\\..\\evil.csv",
    ".bashrc",
    ".pasted",
    "-rf.csv",
    "--output.csv",
    "a=b.csv",
    "x;touch evil.csv",
    "$(touch evil).csv",
    "`touch evil`.csv",
    "a\r\nb.csv",
    "\x00.csv",
    "\u202egnp.csv",
    "a" * 5_000 + ".csv",
    "/".join(["d"] * 500) + "/x.csv",
    "",
    ".",
    "..",
    "~/evil.csv",
    "%2e%2e%2fevil.csv",
    "it's; a.csv",
    "x=/etc/passwd",
    "a/../../b.csv",
    "a/./.ssh/b.csv",
]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_of_files_stay_in_their_folder(page: Page, tmp_path: Path, name: str) -> None:
    stored = cleaned(name)
    assert not os.path.isabs(stored)
    assert not stored.startswith((".", "-", "~"))
    for segment in stored.split("/"):
        assert segment.strip(". ")
        assert len(segment.encode()) <= 100
        assert segment.isprintable()
        assert not set(segment) & set(';$`"<>|*?\\')
    whole = (tmp_path / stored).resolve()
    assert whole.is_relative_to(tmp_path.resolve())
    answer = page.post("compare", files=[(name, PAIR)])
    if answer.status_code == 202:
        ended = page.end(answer.json()["job"])
        if "/." in stored:  # Hidden files of a folder are not read.
            assert ended["state"] == "failed"
            return
        (named,) = shlex.split(ended["result"]["command"])[2:]
        assert "/" not in named
        assert not named.startswith((".", "-", "~"))
    else:
        assert answer.status_code == 400


def test_no_file_is_stored_over_another() -> None:
    folder = Folder()
    names = ["a", "a", "A", "a/b", "a/b", "b/c", "b", "b/c/d", "x.csv", "X.CSV"]
    stored = [folder.place(name) for name in names]
    assert len({name.casefold() for name in stored}) == len(names)
    files = {name.casefold() for name in stored}
    around = {os.path.dirname(name).casefold() for name in stored} - {""}
    assert not files & around


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("compare", {"references": "/etc/passwd"}),
        ("compare", {"references": "../x"}),
        ("compare", {"normalize_map": "/etc/passwd"}),
        ("compare", {"references": ["a.csv"]}),
        ("plan", {"pilot": ["/etc/passwd"], "gap": 0.1}),
        ("plan", {"pilot": "x=/etc/passwd", "gap": 0.1}),
        ("adjust", {"file": "/etc/passwd"}),
    ],
)
def test_options_name_files_that_were_sent(
    page: Page, command: str, options: dict[str, Any]
) -> None:
    answer = page.post(command, options, files=[("a.csv", PAIR)])
    assert answer.status_code == 400
    assert "no file of that name was sent" in answer.json()["error"]


@pytest.mark.parametrize("name", ["x=/etc/passwd", "a\nb", "x" * 300, 3, ["a"], {"a": 1}, "\u202e"])
def test_names_of_systems_lead_nowhere(page: Page, name: Any) -> None:
    answer = page.post("compare", files=[("a.csv", PAIR)], names=[name])
    assert answer.status_code == 400


# Options


@pytest.mark.parametrize(
    "options",
    [
        {"metric": "os:system"},
        {"metric": "accuracy,os:system"},
        {"metric": ["accuracy", "evil:run"]},
        {"output": "evil.csv"},
        {"record": "evil.csv"},
        {"form": "json"},
        {"sources": ["/etc/passwd"]},
        {"progress": 1},
        {"n_resamples": "many"},
        {"n_resamples": 1.5},
        {"n_resamples": True},
        {"n_resamples": [1]},
        {"confidence_level": 1e999},
        {"confidence_level": 10**400},
        {"n_resamples": 10**400},
        {"margin": "nan"},
        {"unpaired": "yes"},
        {"alternative": "both"},
        {"label_map": "a"},
        {"label_map": "a=b,a=c"},
        {"label_map": {"a": {"b": 1}}},
        {"metric": {"a": 1}},
        {"metric": "x" * 20_000},
        {"labels": ["a"] * 20_000},
        {"baseline": "a\x00b"},
        {"about": {"a": 1}},
        [],
        "text",
        7,
    ],
)
def test_options_that_cannot_be_meant_are_refused(page: Page, options: Any) -> None:
    with pytest.raises(UsageError):
        checked(CATALOGUE["compare"], options, [])
    if options:
        answer = page.post("compare", options, text=PAIR)
        assert answer.status_code == 400
        assert set(answer.json()) == {"error", "fix"}


def test_what_leaves_an_option_out() -> None:
    empty = {"metric": None, "baseline": "", "labels": [], "unpaired": False, "rng": 0}
    assert checked(CATALOGUE["compare"], empty, []) == {}


# Forms


def form(boundary: str = "xx", *parts: tuple[str, bytes]) -> bytes:
    lines = b"".join(
        b"--%b\r\nContent-Disposition: form-data; %b\r\n\r\n%b\r\n"
        % (boundary.encode(), head.encode(), body)
        for head, body in parts
    )
    return lines + b"--%b--\r\n" % boundary.encode()


def send(page: Page, body: bytes, kind: str = "multipart/form-data; boundary=xx") -> httpx.Response:
    headers = {**page.headers, "Content-Type": kind}
    found: httpx.Response = page.client.post("/api/jobs/compare", content=body, headers=headers)
    return found


TEXT = ('name="text"', PAIR.encode())


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (form("xx", TEXT), "multipart/form-data"),
        (form("xx", TEXT), "multipart/form-data; boundary="),
        (form("xx", TEXT), "application/json"),
        (form("xx", TEXT), "application/x-www-form-urlencoded"),
        (form("xx", TEXT), "multipart/form-data; boundary=yy"),
        (form("xx", TEXT), "multipart/form-data; boundary=" + "y" * 10_000),
        (form("xx", TEXT)[:-10], "multipart/form-data; boundary=xx"),
        (form("xx", TEXT)[:60], "multipart/form-data; boundary=xx"),
        (b"", "multipart/form-data; boundary=xx"),
        (b"--xx\r\n" * 1_000, "multipart/form-data; boundary=xx"),
        (b"\x00" * 1_000, "multipart/form-data; boundary=xx"),
        (form("xx", TEXT, TEXT), "multipart/form-data; boundary=xx"),
        (form("xx", TEXT, ('name="evil"', b"x")), "multipart/form-data; boundary=xx"),
        (form("xx", ("no name", b"x")), "multipart/form-data; boundary=xx"),
        (form("xx", TEXT, ('name="options"', b"{")), "multipart/form-data; boundary=xx"),
        (form("xx", TEXT, ('name="options"', b"\xff")), "multipart/form-data; boundary=xx"),
        (form("xx", TEXT, ('name="options"', b"[" * 9_999)), "multipart/form-data; boundary=xx"),
        (
            form("xx", TEXT, ('name="options"', b'{"a":' * 99 + b"1" + b"}" * 99)),
            "multipart/form-data; boundary=xx",
        ),
        (form("xx", TEXT, ('name="names"', b'["a"]')), "multipart/form-data; boundary=xx"),
        (form("xx", TEXT, ('name="counts"', b"{}")), "multipart/form-data; boundary=xx"),
        (
            b"--xx\r\n" + b"X-A: " + b"y" * 100_000 + b"\r\n\r\n" + form("xx", TEXT),
            "multipart/form-data; boundary=xx",
        ),
        (
            b"--xx\r\n" + b"X-A: y\r\n" * 10_000 + b"\r\n" + form("xx", TEXT),
            "multipart/form-data; boundary=xx",
        ),
    ],
)
def test_malformed_forms_are_refused(page: Page, body: bytes, kind: str) -> None:
    answer = send(page, body, kind)
    assert answer.status_code in (400, 413, 415)
    assert set(answer.json()) == {"error", "fix"}


def test_a_form_made_by_hand_is_taken(page: Page) -> None:
    assert send(page, form("xx", TEXT)).status_code == 202


def test_nothing_of_a_refused_request_stays(page: Page) -> None:
    def folders() -> set[str]:
        (root,) = {job.folder.parent for job in jobs.values()}
        return {entry.name for entry in root.iterdir()}

    jobs = page.app.state.pool.jobs
    page.run("compare", text=PAIR)
    before, known = folders(), set(jobs)
    for body in (form("xx", TEXT)[:-10], form("xx", TEXT, ('name="evil"', b"x"))):
        assert send(page, body).status_code == 400
    assert (folders(), set(jobs)) == (before, known)


def test_sizes_are_limited(small: Page) -> None:
    long = "a,b\n" + "1,0\n" * 60_000
    answer = small.post("compare", text=long)
    assert answer.status_code == 413
    assert "MB" in answer.json()["error"]
    assert "--max-upload" in answer.json()["fix"]


def test_a_length_that_is_not_said_is_limited_too(small: Page) -> None:
    def pieces() -> Iterator[bytes]:
        yield form("xx", TEXT)[:-8]
        for _ in range(100):
            yield b"1,0\n" * 1_000

    headers = {**small.headers, "Content-Type": "multipart/form-data; boundary=xx"}
    try:
        answer = small.client.post("/api/jobs/compare", content=pieces(), headers=headers)
    except httpx.TransportError:
        return  # Closed while there was more to send.
    assert answer.status_code == 413


def test_rows_are_limited(small: Page) -> None:
    ended = small.run("compare", text="a,b\n" + "1,0\n" * 101)
    assert ended["state"] == "failed"
    assert "the page takes 100" in ended["error"]["error"]
    counts = {"both": 100, "only_baseline": 1, "only_candidate": 0, "neither": 0}
    assert "101 items" in small.run("compare", counts=counts)["error"]["error"]


def test_files_are_limited(small: Page) -> None:
    answer = small.post("compare", files=[(f"{k}.csv", PAIR) for k in range(9)])
    assert answer.status_code == 413
    assert "files" in answer.json()["error"]


def test_a_large_field_is_refused(page: Page) -> None:
    answer = page.post("compare", {"metric": "x" * 2_000_000}, text=PAIR)
    assert answer.status_code == 413


@pytest.mark.parametrize("length", ["999999999999", "50"])
def test_a_length_that_is_not_true_harms_nobody(small: Page, length: str) -> None:
    head = (
        f"POST /api/jobs/compare HTTP/1.1\r\nHost: 127.0.0.1:{port(small)}\r\n"
        f"Origin: http://127.0.0.1:{port(small)}\r\nX-Deadheat-Token: {small.token}\r\n"
        f"Content-Type: multipart/form-data; boundary=xx\r\nContent-Length: {length}\r\n\r\n"
    )
    answer = raw(small, head.encode() + form("xx", TEXT))
    assert answer.split(b"\r\n")[0].split()[1] in (b"400", b"413")
    assert small.run("compare", text=PAIR)["state"] == "done"


def test_who_stops_sending_is_not_waited_for(small: Page) -> None:
    head = (
        f"POST /api/jobs/compare HTTP/1.1\r\nHost: 127.0.0.1:{port(small)}\r\n"
        f"Origin: http://127.0.0.1:{port(small)}\r\nX-Deadheat-Token: {small.token}\r\n"
        "Content-Type: multipart/form-data; boundary=xx\r\nContent-Length: 5000\r\n\r\n--xx"
    )
    answer = raw(small, head.encode())
    assert b" 408 " in answer.split(b"\r\n")[0]
    assert b"stopped in the middle" in answer


# What is read


def test_a_module_that_was_sent_is_not_imported(page: Page, tmp_path: Path) -> None:
    """The folder of the job is the current one of the worker; nothing in it is code."""
    trap = tmp_path / "ran"
    code = f"open({str(trap)!r}, 'w').close()\n"
    names = ["sacrebleu", "rapidfuzz", "pickle", "random", "json", "deadheat", "sitecustomize"]
    texts = "item,reference,system_a,system_b\n" + "1,the cat sat,the cat,a cat sat\n2,a,b,a\n"
    files = [(f"{name}.py", code) for name in names]
    for metric in ("bleu", "wer", "ter"):
        answer = page.post("compare", {"metric": metric}, files=[("data.csv", texts), *files])
        assert page.end(answer.json()["job"])["state"] in ("done", "failed")
        assert page.run("compare", {"metric": metric}, text=texts)["state"] in ("done", "failed")
    assert not trap.exists()


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7*7 }}",
    "=cmd|' /C calc'!A0",
    "</pre></body>",
    "\u202egnp",
    "x" * 10_000,
]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_are_text(page: Page, name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    table = "item,system,score\n" + "".join(
        f"{k},{system},{(k * step) % 3 % 2}\n"
        for k in range(20)
        for system, step in ((quoted, 2), ("b", 1))
    )
    result = page.result("compare", files=[("t.csv", table)])
    html = result["html"]
    assert "<script" not in html
    assert "<img" not in html
    assert "onerror=alert(1)>" not in html.replace("&gt;", "")
    assert "\u202e" not in html
    for download in result["downloads"]:
        if download["name"].endswith(".svg"):
            drawn = page.download(result, download["name"])
            assert "<script" not in drawn
            assert "<img" not in drawn


def test_errors_are_json_and_show_no_more(page: Page) -> None:
    ended = page.run("compare", files=[("a.csv", "x\n")])
    assert ended["state"] == "failed"
    assert set(ended["error"]) == {"error", "fix"}
    text = json.dumps(ended)
    assert "Traceback" not in text
    assert "/tmp" not in text
    assert page.app.state.pool.jobs[ended["job"]].folder.name not in text


@pytest.mark.parametrize("name", ["about", "item", "label_map", "systems", "metric"])
def test_half_a_character_is_refused(page: Page, name: str) -> None:
    """JSON can hold one; no answer and no file could."""
    half = "\ud800"
    value: Any = {"label_map": {half: half}, "systems": [half]}.get(name, half)
    answer = page.post("compare", {name: value}, text=PAIR)
    assert answer.status_code == 400
    assert "half a character" in answer.json()["error"]


@pytest.mark.parametrize("name", ["data.csv", "data.csv/x.csv", "pasted.csv"])
def test_what_is_pasted_is_stored_over_no_file(page: Page, name: str) -> None:
    """The references are in a file that is called as what is pasted would be."""
    table = "item,a,b\n1,x,y\n2,y,y\n3,x,x\n4,y,x\n"
    references = "item,reference\n1,x\n2,y\n3,x\n4,y\n"
    result = page.result("compare", {"references": name}, text=table, files=[(name, references)])
    numbers = page.numbers(result)
    assert numbers["baseline"]["value"] == 1.0
    assert numbers["candidate"]["value"] == 0.5
    (made,) = (one["name"] for one in result["downloads"] if one["label"].startswith("The data"))
    assert made != name
    assert page.download(result, made) == table


def test_where_nothing_can_be_stored_it_is_said(tmp_path: Path) -> None:
    """Whoever tidies up temporary files may clear the folder away."""
    with opened() as page:
        page.result("compare", text=PAIR)
        ended = page.post("compare", text=PAIR).json()["job"]
        assert page.end(ended)["state"] == "done"
        page.app.state.pool._root.rename(tmp_path / "away")
        for answer in (
            page.post("compare", text=PAIR),
            page.client.get(f"/api/jobs/{ended}"),
            page.client.get(f"/api/jobs/{ended}/files/report.json"),
        ):
            assert answer.status_code in (404, 507)
            assert set(answer.json()) == {"error", "fix"}
