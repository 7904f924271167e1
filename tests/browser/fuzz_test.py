"""The whole API as openapi.json describes it, with made-up requests of every role: no fault of the server, no status
and no answer that is not described."""
import os, subprocess, sys, unittest
from pathlib import Path

from portal import Server

EXAMPLES = os.environ.get("PORTAL_FUZZ_EXAMPLES", "15")
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
ROLES = ("writer", "auditor", "regulator", "admin", "operator", None)


class Described(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.sample()
        cls.server.export()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_every_role(self):
        for role in ROLES:
            with self.subTest(role=role):
                program = Path(sys.executable).parent / "schemathesis"
                command = [program, "run", self.server.url + "/openapi.json", "--checks", CHECKS, "--no-color",
                           "--max-examples", EXAMPLES, "--seed", "1", "--phases", "examples,coverage,fuzzing",
                           "--request-timeout", "60", "--exclude-path-regex", "events$", "--suppress-health-check", "all"]
                if role:
                    command += ["--header", "Authorization: Bearer " + self.server.tokens[role]]
                done = subprocess.run(command, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout[-6000:] + done.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
