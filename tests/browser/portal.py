"""The real server on a temporary folder, and a real browser in front of it."""
import json, os, re, shutil, signal, subprocess, tempfile, threading, time, urllib.request, zipfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("PORTAL_BINARY", str(ROOT / "target/debug/estreat"))
CHROMIUM = os.environ.get("PORTAL_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
# Nothing outside is asked for, and the browser also runs as root in a container.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run"]
# Every ESTREAT_ variable is a setting of the server; those of whoever runs the tests are not meant.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("ESTREAT_")}
PATIENCE = 60_000  # milliseconds: a bound for what hangs, not a measure of speed

HOSTILE = [
    "<script>document.title='run'</script>",
    "\"><img src=x onerror=\"document.title='run'\">",
    "=HYPERLINK(\"http://127.0.0.1/\",\"x\")",
    "javascript:document.title='run'",
    "{{7*7}}${7*7}",
    "\u202egnp.exe",
]


class Server:
    """A server with a token of each role."""

    def __init__(self, **settings):
        self.folder = tempfile.TemporaryDirectory()
        self.data = self.folder.name
        self.bundles = tempfile.TemporaryDirectory()
        self.settings = {"roll_on_request_seconds": "0", **settings}
        self.tokens = {role: self.run("token", "create", "--role", role, "--name", f"the {role}").strip()
                       for role in ("writer", "auditor", "admin", "regulator", "operator")}
        self.start()

    def run(self, *arguments, text=None):
        command = [BINARY, *arguments, "--data", self.data]
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, env=ENVIRONMENT)
        assert done.returncode == 0, f"{arguments}: {done.stderr}"
        return done.stdout

    def start(self):
        environment = {**ENVIRONMENT, **{f"ESTREAT_{name.upper()}": value for name, value in self.settings.items()}}
        self.said = []
        self.process = subprocess.Popen([BINARY, "serve", "--listen", "127.0.0.1:0", "--data", self.data],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        threading.Thread(target=lambda: self.said.extend(self.process.stderr), daemon=True).start()
        for line in self.process.stdout:
            if line.startswith("listening on "):
                self.url = line.split()[-1]
                return
        raise AssertionError("the server did not start: " + "".join(self.said))

    def verify(self, *arguments):
        """`estreat verify`: its exit code, and what it says."""
        done = subprocess.run([BINARY, "verify", *map(str, arguments)], capture_output=True, text=True, env=ENVIRONMENT)
        return done.returncode, done.stdout + done.stderr

    def memory_mib(self):
        """The most memory that the server has taken so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.process.stdout.close()
        self.folder.cleanup()
        self.bundles.cleanup()

    def call(self, method, path, body=None, role="auditor"):
        """An answer's JSON; a refusal is an error."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method)
        request.add_header("Authorization", "Bearer " + self.tokens[role])
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read() or b"null")

    def post(self, log, *events):
        body = "\n".join(json.dumps(event) for event in events).encode()
        return self.call("POST", f"/api/v1/logs/{log}/entries", body, role="writer")

    def sample(self, log="orders", subject="user_17", count=24):
        """Events over some days, one of each tenth naming somebody else too, and hostile ones."""
        events = []
        for n in range(count):
            event = {"time": f"2026-05-{4 + n % 9:02}T{8 + n % 12:02}:30:12Z", "operation": ["read", "update", "create"][n % 3],
                     "data_subject": subject, "actor": f"clerk {n % 4}", "actor_role": "support", "source": "crm",
                     "purpose": "support", "resource": f"order/{4711 + n}", "payload": {"order": 4711 + n, "price": 12.50}}
            if n % 10 == 9:
                event["recipient"] = "Parcel Service"
            events.append(event)
        for text in HOSTILE:
            events.append({"time": "2026-05-14T10:00:00Z", "operation": "read", "data_subject": subject, "actor": text,
                           "purpose": text[:60], "resource": text, "payload": {text: text}})
        return self.post(log, *events)

    def export(self, subject="user_17", **more):
        """A finished export."""
        made = self.call("POST", "/api/v1/exports", {"subject": subject, "purpose": "request for access", **more})
        until = time.monotonic() + PATIENCE / 1000
        while made["status"] in ("queued", "running") and time.monotonic() < until:
            time.sleep(0.05)
            made = self.call("GET", f"/api/v1/exports/{made['id']}")
        assert made["status"] == "done", made
        return made

    def keys(self):
        """The verifier keys, one a line."""
        return "\n".join(key["vkey"] for key in self.call("GET", "/api/v1/keys"))

    def bundle(self, made, name):
        """An export's bundle, as it is downloaded."""
        request = urllib.request.Request(f"{self.url}/api/v1/exports/{made['id']}/bundle.zip")
        request.add_header("Authorization", "Bearer " + self.tokens["auditor"])
        path = Path(self.bundles.name) / name
        with urllib.request.urlopen(request, timeout=60) as answer, open(path, "wb") as out:
            shutil.copyfileobj(answer, out, 1 << 20)
        return path


class Browser:
    """One headless Chromium for a module's tests; a context is a person, who reads one language."""

    def __init__(self, locale="en-GB"):
        self.locale = locale
        assert CHROMIUM, "no Chromium: run .ci/test, which installs it, or set PORTAL_CHROMIUM"
        self.playwright = sync_playwright().start()
        self.chromium = self.playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)

    def person(self, server, **options):
        context = self.chromium.new_context(base_url=server.url, locale=self.locale, timezone_id="Europe/Berlin", **options)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on("console", lambda message: page.faults.append(message.text)
                if message.type == "error" and "status of 4" not in message.text else None)
        return page

    def signed_in(self, server, role="auditor", **options):
        page = self.person(server, **options)
        page.goto("/signin")
        page.fill("#token", server.tokens[role])
        page.press("#token", "Enter")
        page.wait_for_url(lambda url: "/signin" not in url)
        return page

    def close(self):
        self.chromium.close()
        self.playwright.stop()


def tampered(bundle):
    """A copy of a bundle of the sample, in which an order has another number."""
    path = bundle.with_name("tampered-" + bundle.name)
    with zipfile.ZipFile(bundle) as whole, zipfile.ZipFile(path, "w") as out:
        for name in whole.namelist():
            content = whole.read(name)
            if name.endswith("entries.ndjson"):
                content = content.replace(b'"order":4712', b'"order":4799')
            out.writestr(name, content)
    return path


def check(page, bundle, keys):
    """Has the page that checks bundles check one; the verdict."""
    page.fill("#keys", keys)
    page.set_input_files("#bundle", bundle)
    page.click("#check")
    return verdict(page)


def verdict(page):
    """The verdict of the page that checks a bundle, once there is one."""
    shown = page.locator("#verdict .verdict")
    shown.wait_for()
    return shown.inner_text()


def words(text):
    return re.sub(r"\s+", " ", text).strip()
