#!/usr/bin/env python3
"""Checks an Estreat bundle without any of Estreat's own code.

    python3 verify_bundle.py BUNDLE.zip --key VKEY [--key VKEY …] [--json]
    python3 verify_bundle.py --self-test DIR       runs the vectors of the format

A bundle is one verified export: every entry of a log that names one person. This program
decides whether that is so. Below are the steps of the format's page, in its order; with
bundle_format.py (bytes) and vrf_r255.py (one proof) this is all of it, written from that page
alone, so that it can be read, and believed, without reading the product. It needs Python 3.11
and the package `cryptography` (for Ed25519), and no network.

Exit: 0 verified; 1 could not look (no readable zip); 2 wrong usage; 3 something was found.
"""
import argparse, json, re, struct, sys, zipfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

from bundle_format import (BATCH, CLOSE, LAYOUTS, MANIFEST, PROOF, RANGE, Bad, H, leaf, micros, partial_root,
                           read_checkpoint, read_entry, read_json, read_key, read_link, read_note, shown,
                           signer, u64, written)
from vrf_r255 import vrf_output
GRAVEST_FIRST = ("ALTERED", "MISSING", "TRUNCATED", "UNKNOWN KEY")

class Found(Exception):
    """A finding that ends its step: (verdict, where, what, expected, found)."""

class Report:
    """What is said in the end."""
    def __init__(self):
        self.findings, self.coverage, self.lines = [], [], []
        self.counts, self.manifest_note = Counter(), None

    def find(self, step, verdict, where, what, expected=None, found=None):
        self.findings.append(dict(step=step, verdict=verdict, where=where, what=what,
                                  expected=expected, found=found))

    def cover(self, verdict, where, what):
        self.coverage.append(dict(verdict=verdict, where=where, what=what))

    @contextmanager
    def step(self, name, where):
        before = len(self.findings)
        try:
            yield
        except Bad as flaw:
            self.find(name, "ALTERED", where, str(flaw))
        except Found as found:
            self.find(name, *found.args)
        self.lines.append(f"{'ok   ' if len(self.findings) == before else 'FOUND'} {name:10} {where}")

    def verdict(self):
        found = {finding["verdict"] for finding in self.findings}
        return next((word for word in GRAVEST_FIRST if word in found), "VERIFIED")

LOG_FILES = ("checkpoint.txt", "entries.ndjson", "proof.json")
LOG_NAME = re.compile(r"[a-z0-9_][a-z0-9._-]{0,62}", re.ASCII)

def check_manifest(report, files, names, keys):
    """Step 1. Gives back the manifest, and who vouches for it as far as that was checked."""
    manifest = server = None
    folders = sorted({name.split("/")[1] for name in files if re.match("logs/[^/]+/.", name)})
    def find(*finding):
        report.find("manifest", *finding)
    with report.step("manifest", "manifest.json"):
        for name in (name for name, times in Counter(names).items() if times > 1):
            find("ALTERED", shown(name), "the file stands twice in the zip")
        if not any(all(f"logs/{log}/{name}" in files for name in LOG_FILES) for log in folders):
            find("MISSING", "logs/", "no log with its checkpoint, entries and proof")
        if "manifest.json" not in files:
            raise Found("MISSING", "manifest.json", "there is no manifest")
        manifest = MANIFEST(read_json(files["manifest.json"] or b"", "any"), "manifest")
        for name, digest in manifest["files"].items():
            if name not in files:
                find("MISSING", shown(name), "a file that the manifest lists is not there")
            elif files[name] is None or digest != H(files[name]).hex():
                find("ALTERED", shown(name), "the file is not the one in the manifest",
                     shown(str(digest)), files[name] and H(files[name]).hex())
        unlisted = {"manifest.json", "manifest.note"}
        for name in sorted(files.keys() - manifest["files"].keys() - unlisted):
            find("ALTERED", shown(name), "a file that the manifest does not list")
        if manifest["files"].keys() & unlisted:
            find("ALTERED", "manifest.json", "the manifest lists itself or its note")
        logs = manifest["logs"]
        if len(set(logs)) < len(logs) or not all(map(LOG_NAME.fullmatch, logs)):
            find("ALTERED", "manifest.json", "its logs are not names of logs, each once")
        for log in set(logs) ^ set(folders):
            find("MISSING" if log in logs else "ALTERED", shown(f"logs/{log}"),
                 "the folders under logs/ are not the manifest's logs")
        if "manifest.note" in files:
            note = read_note(files["manifest.note"] or b"")
            server = signer(note, keys)
            report.manifest_note = "holds" if server else "not checked"
            text = f"estreat-bundle/1\n{H(files['manifest.json'] or b'').hex()}\n"
            if server and note.text != text:
                raise Bad("manifest.note is of another manifest")
    return manifest, server, folders

class LogCheck:
    """Steps 2 to 8 for one log."""
    def __init__(self, report, log, files, manifest, server, keys):
        self.report, self.log, self.manifest, self.server, self.keys = report, log, manifest, server, keys
        self.files = {name: files.get(f"logs/{log}/{name}") for name in LOG_FILES}
        self.checkpoint = self.proof = None
        self.links, self.closes, self.lines, self.shown = {}, [], [], {}

    def run(self):
        where = shown(f"logs/{self.log}/")
        for name, check, file in (
                ("checkpoint", self.check_checkpoint, "checkpoint.txt"),
                ("proof", self.check_proof, "proof.json"), ("links", self.check_links, "proof.json"),
                ("entries", self.check_entries, "entries.ndjson"), ("count", self.check_count, "entries.ndjson"),
                ("subject", self.check_subject, "proof.json"), ("coverage", self.check_coverage, "proof.json")):
            if name == "links" and None in (self.proof, self.checkpoint):
                return                                              # nothing left to check it with
            with self.report.step(name, where + file):
                check(where + file)

    def file(self, name, where):
        if self.files[name] is None:
            raise Found("MISSING", where, "the file is not there")
        return self.files[name]

    def check_checkpoint(self, where):
        note = read_note(self.file("checkpoint.txt", where))
        self.checkpoint = read_checkpoint(note.text)
        origin = self.checkpoint.origin
        if origin.rpartition("/")[2] != self.log:
            raise Bad("its origin is of another log than its folder")
        if self.server and origin != f"{self.server.name}/{self.log}":
            raise Found("ALTERED", where, "its origin is of another server than manifest.note",
                        f"{self.server.name}/{self.log}", shown(origin))
        if not signer(note, [key for key in self.keys if key.name == origin]):
            ids = ", ".join(f"{shown(name)} with key id {id.hex()}" for name, id, _ in note.signatures)
            raise Found("UNKNOWN KEY", where, "no key was given that signs it", shown(origin), ids)

    def check_proof(self, where):
        proof = PROOF(read_json(self.file("proof.json", where), "whole"), "proof")
        checkpoint = self.files["checkpoint.txt"]
        self.proof = proof
        if checkpoint is not None and proof["checkpoint"].encode() != checkpoint:
            raise Bad("its checkpoint is not the one in checkpoint.txt")
        if self.checkpoint and proof["origin"] != self.checkpoint.origin:
            raise Bad("its origin is not the checkpoint's")
        for name in RANGE if self.manifest else ():
            if proof[name] != self.manifest[name]:
                raise Bad(f"its {name} is not the manifest's")

    def check_links(self, where):
        log_id, size, known, before = H(self.proof["origin"].encode())[:16], self.checkpoint.size, {}, None
        for number, data in ((item["number"], item["bytes"]) for item in self.proof["links"]):
            at = f"link {number}"
            try:
                link = read_link(data)
            except Bad as flaw:
                raise Bad(f"{at}: {flaw}") from None
            if link.log_id != log_id or link.number != number:
                raise Bad(f"{at} is of another log or number")
            if before and number <= before.number:
                raise Bad(f"{at} does not ascend")
            if number == 0 and link.previous != bytes(32):
                raise Bad(f"{at} has a predecessor")
            if before and link.committed_at < before.committed_at:
                raise Bad(f"{at} is committed before an earlier one")
            if before and number == before.number + 1:
                self.check_neighbours(before, known[before.number], link, at)
            known[number], self.links[number], before = leaf(data), link, link
        self.closes = [link for link in self.links.values() if link.kind == CLOSE]
        if partial_root(size, known, self.proof["tree"]) != self.checkpoint.root:
            raise Bad("the links do not lead to the checkpoint's root")
        self.check_closes(where)
        last = self.links.get(size - 1)
        if size and last is None:
            raise Found("MISSING", where, "the log's last link is not there", f"link {size - 1}")
        if size and last.segment > len(self.closes):
            raise Found("MISSING", where, "a close link is not there", f"segment {len(self.closes)}")
        shown_batches = {batch["link"] for batch in self.proof["batches"]}
        for number in sorted(shown_batches - self.links.keys()):
            raise Found("MISSING", where, "a batch's link is not there", f"link {number}")
        for number, link in self.links.items():
            if number in shown_batches and link.kind != BATCH:
                raise Bad(f"link {number} stands under batches and is none")
            if link.kind != CLOSE:
                self.check_place(link)
                if number not in shown_batches and link is not last:
                    raise Bad(f"link {number} need not be there")

    @staticmethod
    def check_neighbours(before, before_leaf, link, at):
        if link.previous != before_leaf:
            raise Bad(f"{at} names another predecessor")
        goes_on = (link.sync_position, link.committed_at) == (before.sync_position + 1, before.committed_at)
        if not goes_on and not (link.sync_position == 0 and link.committed_at > before.committed_at):
            raise Bad(f"{at} neither goes on with the sync of the one before nor begins one")
        if {link.kind, before.kind} <= LAYOUTS.keys():
            begins = link.first_entry + (link.entry_count if link.kind == CLOSE else 0)
            if begins != before.first_entry + before.entry_count:
                raise Bad(f"{at} does not begin with the next entry")

    def check_closes(self, where):
        next_link = next_entry = 0
        for segment, close in enumerate(self.closes):
            at = f"the close link of segment {close.segment}"
            if close.segment > segment:
                raise Found("MISSING", where, "a close link is not there", f"segment {segment}")
            if (close.segment, close.first_link, close.first_entry) != (segment, next_link, next_entry):
                raise Bad(f"{at} does not begin right after the one before")
            if close.number < close.first_link or close.index_key != self.closes[0].index_key:
                raise Bad(f"{at} lies before its segment, or has another index key than the first")
            if close.entry_count == 0 and (close.earliest, close.latest, close.subject_count) != (0, 0, 0):
                raise Bad(f"{at} has times or subjects, but no entry")
            next_link, next_entry = close.number + 1, close.first_entry + close.entry_count

    def closed_entries(self):
        return self.closes[-1].first_entry + self.closes[-1].entry_count if self.closes else 0

    def check_place(self, link):
        """A link that closes no segment lies in the links, entries and times of its own."""
        fits = link.segment == len(self.closes)
        if link.segment < len(self.closes):
            close = self.closes[link.segment]
            fits = close.first_link <= link.number < close.number
            if fits and link.kind == BATCH:
                end = close.first_entry + close.entry_count
                fits = (close.first_entry <= link.first_entry and link.first_entry + link.entry_count <= end
                        and close.earliest <= link.earliest and link.latest <= close.latest)
        elif fits and self.closes:
            fits = link.number > self.closes[-1].number
            fits = fits and (link.kind != BATCH or link.first_entry >= self.closed_entries())
        if not fits:
            raise Bad(f"link {link.number} does not lie in the segment that it names")

    def check_entries(self, where):
        *self.lines, rest = self.file("entries.ndjson", where).split(b"\n")
        next_line, next_index = 0, 0
        for batch in self.proof["batches"]:
            link, known, whole = self.links.get(batch["link"]), {}, True
            if link is None or link.kind != BATCH:
                continue                                            # found in the step before
            for entry in batch["entries"]:
                index = link.first_entry + entry["position"]
                if index < next_index or entry["position"] >= link.entry_count:
                    raise Bad(f"entry {index} does not ascend, or not in its batch")
                next_index, line = index + 1, entry.get("line")
                self.shown[index] = (link, entry)
                if line is None:
                    known[entry["position"]] = entry["leaf"]
                    continue
                if line != next_line:
                    raise Bad(f"line {line} stands where line {next_line} should")
                next_line += 1
                if line < len(self.lines):
                    known[entry["position"]] = leaf(entry["salt"], self.lines[line])
                else:
                    whole = False
            try:
                if whole and partial_root(link.entry_count, known, batch["tree"]) != link.entries_root:
                    raise Bad("its entries are not those that were sealed")
            except Bad as flaw:
                self.report.find("entries", "ALTERED", where, f"batch of link {link.number}: {flaw}")
        if rest or next_line > len(self.lines):
            raise Found("TRUNCATED", where, "it ends early", f"{next_line} lines", f"{len(self.lines)} whole ones")

    def check_count(self, where):
        with_line = sum("line" in entry for batch in self.proof["batches"] for entry in batch["entries"])
        if len(self.lines) > with_line:
            raise Bad(f"{len(self.lines)} lines, but the proof has {with_line}")

    def check_subject(self, where):
        find = lambda *finding: self.report.find("subject", *finding)
        subject, tag_proof = self.proof["subject"], self.proof["tag_proof"]
        from_ = -2**63 if self.proof["from"] is None else micros(self.proof["from"])
        to = 2**63 if self.proof["to"] is None else micros(self.proof["to"])
        if (tag_proof is None) != (not self.closes):
            raise Bad("a tag proof must be there exactly if a segment is closed")
        beta = tag_proof and vrf_output(self.closes[0].index_key,
                                        self.closes[0].log_id + subject.encode(), tag_proof)
        needed = {close.number: close for close in self.closes
                  if close.entry_count and close.latest >= from_ and close.earliest < to}
        numbers = [segment["close_link"] for segment in self.proof["segments"]]
        for number in needed.keys() - set(numbers):
            find("MISSING", where, f"nothing is said of the segment closed by link {number}")
        if numbers != sorted(set(numbers)) or set(numbers) - needed.keys():
            find("ALTERED", where, "it speaks of segments out of order, or out of the range")
        times, unclear = {}, needed.keys() - set(numbers)       # times by entry, from sound lists
        for segment in self.proof["segments"]:
            close = needed.get(segment["close_link"])
            try:
                if close:
                    times.update(self.read_list(segment, close, H(beta + u64(close.segment))[:16]))
            except Bad as flaw:
                unclear.add(segment["close_link"])
                find("ALTERED", where, f"segment {close.segment}: {flaw}")
        expected = {index for index, time in times.items() if from_ <= time < to}
        for index in sorted(expected - self.shown.keys()):
            find("MISSING", where, f"entry {index} names the subject and is not shown")
        doubtful = [needed[number] for number in unclear if number in needed]
        for index in sorted(self.shown.keys() - expected):
            if not any(0 <= index - close.first_entry < close.entry_count for close in doubtful):
                find("ALTERED", where, f"entry {index} is shown, but no list names it in the range")
        for index, (link, entry) in self.shown.items():
            time, line = times.get(index), entry.get("line")
            if time is not None and not link.earliest <= time <= link.latest:
                find("ALTERED", where, f"entry {index} has a time outside its batch's")
            if line is not None and line < len(self.lines):
                self.check_line(line, index, subject, time, find)

    def check_line(self, line, index, subject, time, find):
        where = shown(f"logs/{self.log}/entries.ndjson, line {line + 1}")
        try:
            entry_time, subjects = read_entry(self.lines[line])
        except Bad as flaw:
            return find("ALTERED", where, f"entry {index} is {flaw}")
        if subject not in subjects:
            find("ALTERED", where, f"entry {index} does not name the subject")
        if time is not None and entry_time != time:
            find("ALTERED", where, f"entry {index} has another time", written(time), written(entry_time))

    @staticmethod
    def read_list(segment, close, tag):
        """What a segment's index says of the tag: {entry index: time}, empty if it is absent."""
        count, known = close.subject_count, {}
        if "present" not in segment:
            left, right = segment["absent"]["left"], segment["absent"]["right"]
            known = {side["position"]: leaf(side["tag"], side["digest"]) for side in (left, right) if side}
            after = right["position"] if right else count
            if after != (left["position"] + 1 if left else 0):
                raise Bad("the two neighbours are none")
            if left and left["tag"] >= tag or right and right["tag"] <= tag:
                raise Bad("the tag does not lie between its neighbours")
            pairs = []
        else:
            claim = segment["present"]
            known[claim["position"]] = leaf(tag, H(claim["salt"], claim["list"]))
            if not claim["list"] or len(claim["list"]) % 16:
                raise Bad("its list is empty, or no list")
            pairs = list(struct.iter_unpack(">Qq", claim["list"]))
        if partial_root(count, known, segment["tree"]) != close.subjects_root:
            raise Bad("this is not what its index says")
        for (index, time), (before, _) in zip(pairs, [(-1, 0), *pairs]):
            if index <= before or not 0 <= index - close.first_entry < close.entry_count:
                raise Bad("its list does not ascend inside the segment")
            if not close.earliest <= time <= close.latest:
                raise Bad("its list has a time outside the segment's")
        return dict(pairs)

    def check_coverage(self, where):
        report, closed = self.report, self.closed_entries()
        if self.closes:
            report.cover("VERIFIED", where, f"every entry before number {closed}, committed by "
                                            f"{written(self.closes[-1].committed_at)}")
        last = self.links.get(self.checkpoint.size - 1)
        if last and last.kind != CLOSE:
            upto = f" to {last.first_entry + last.entry_count - 1}" if last.kind == BATCH else " on"
            report.cover("NOT COVERED", where, f"the active segment, entries {closed}{upto}")
        report.counts["entries"] += len(self.shown)
        for index, (_, entry) in self.shown.items():
            if "because" in entry:
                report.counts[entry["because"]] += 1
                report.cover(entry["because"].upper(), where, f"entry {index}")

# ── The whole ─────────────────────────────────────────────────────────────────────────────

def verify(path, keys):
    """(report, manifest) of a bundle. OSError or BadZipFile if it cannot be read at all."""
    report, files = Report(), {}
    with zipfile.ZipFile(path) as bundle:
        names = [name for name in bundle.namelist() if not name.endswith("/")]
        for name in names:
            try:
                files[name] = bundle.read(name)
            except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError) as error:
                files[name] = None
                report.find("manifest", "ALTERED", shown(name), f"cannot be unpacked: {shown(str(error))}")
    manifest, server, folders = check_manifest(report, files, names, keys)
    for log in dict.fromkeys(manifest["logs"]) if manifest else folders:
        LogCheck(report, log, files, manifest, server, keys).run()
    return report, manifest

def say(report, manifest):
    """The report for people: first what was asked, for the reader to compare with the question."""
    subject = shown(manifest["subject"]) if manifest else "(no manifest)"
    if manifest:
        print(f"subject  {subject}\nfrom     {manifest['from'] or 'the beginning'}\n"
              f"to       {manifest['to'] or 'the end'}\nlogs     {', '.join(map(shown, manifest['logs']))}")
    print(*report.lines, sep="\n")
    whose = {"holds": "whoever signed manifest.note", None: "the sender alone",
             "not checked": "the sender alone, for no key was given that signs manifest.note"}
    print(f"The report, the table, purpose and requester are the word of {whose[report.manifest_note]}.")
    for finding in report.findings:
        differ = "".join(f"; {word} {finding[word]}" for word in ("expected", "found") if finding[word])
        print(f"{finding['verdict']}: {finding['step']}: {finding['where']}: {finding['what']}{differ}")
    for part in report.coverage:
        print(f"{part['verdict']}: {part['where']}: {part['what']}")
    counts = report.counts
    hidden = "".join(f", {counts[word]} of them {word}" for word in ("withheld", "erased") if counts[word])
    names = "entry names" if counts["entries"] == 1 else "entries name"
    count = f": {counts['entries']} {names} exactly {subject}{hidden}"
    print(report.verdict() + (count if report.verdict() == "VERIFIED" else ""))

def self_test(folder):
    failed = 0
    cases = json.loads((folder / "bundles.json").read_text())["cases"]
    for case in cases:
        keys = [read_key(key) for key in ([case["key"]] if type(case["key"]) is str else case["key"])]
        report, _ = verify(folder / case["file"], keys)
        expect, words = case["expect"], [part["verdict"] for part in report.coverage]
        if expect["exit"] == 0:
            got = dict(exit=3 if report.findings else 0, entries=report.counts["entries"],
                       withheld=report.counts["withheld"], erased=report.counts["erased"],
                       not_covered="NOT COVERED" in words, manifest_note=report.manifest_note)
            right = got == expect
        else:
            right = (expect["step"], expect["verdict"]) in {(f["step"], f["verdict"]) for f in report.findings}
        failed += not right
        print("ok  " if right else "FAIL", case["file"], case["what"], "" if right else report.findings)
    print(f"{len(cases) - failed} of {len(cases)} cases are right")
    return 1 if failed else 0

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bundle", nargs="?", type=Path)
    parser.add_argument("--key", action="append", default=[], help="a verifier key; may be repeated")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--self-test", type=Path, metavar="DIR", help="run the format's vectors")
    options = parser.parse_args()
    if options.self_test:
        return self_test(options.self_test)
    if options.bundle is None:
        parser.error("which bundle?")
    try:
        keys = [read_key(key) for key in options.key]
    except Bad as flaw:
        parser.error(f"--key: {flaw}")
    try:
        report, manifest = verify(options.bundle, keys)
    except (OSError, zipfile.BadZipFile) as error:
        print(f"cannot read the bundle: {error}", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps(dict(verdict=report.verdict(), findings=report.findings, coverage=report.coverage,
                              counts={name: report.counts[name] for name in ("entries", "withheld", "erased")},
                              manifest_note=report.manifest_note)))
    else:
        say(report, manifest)
    return 3 if report.findings else 0

if __name__ == "__main__":
    sys.exit(main())
