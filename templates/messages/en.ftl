### What Estreat says to people, in English. The file beside it has the same messages.
### Markup: `code`, *strong*, [words](/place). Numbers are written by the language.

## Days and ages

month-name = { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
}
day = { $day } { month-name } { $year }
month = { month-name } { $year }
ago-future = in the future: the clock stepped back
ago-seconds = { $n ->
    [one] 1 second ago
   *[other] { $n } seconds ago
}
ago-minutes = { $n ->
    [one] 1 minute ago
   *[other] { $n } minutes ago
}
ago-hours = { $n ->
    [one] 1 hour ago
   *[other] { $n } hours ago
}
ago-days = { $n ->
    [one] 1 day ago
   *[other] { $n } days ago
}

## Around every page

layout-skip = Skip to the content
layout-main = Main
layout-signed-in = Signed in
layout-as = as { $role }
layout-role = role { $role }
layout-sign-out = Sign out
layout-sign-out-everywhere = Sign out everywhere
layout-sign-in = Sign in
layout-footer = Estreat: a verifiable audit log for personal data. Times are UTC, unless another zone stands beside them.
layout-language = Language
nav-overview = Overview
nav-search = Search
nav-exports = Exports
nav-integrity = Integrity
nav-people = People
nav-tokens = Tokens
nav-cases = Open cases
nav-start = Start
nav-verify = Verify
nav-docs = API

## Signing in

signin-title = Sign in
signin-with-password = With a password
signin-refused-password = *Name and password do not belong together.* One of them may be mistyped, or the account has ended. An administrator can make a new password.
signin-name = Name
signin-password = Password
signin-with-token = With a token
signin-refused = *This token does not hold.* It may be mistyped, revoked or expired. A token begins with `estreat_` and has 72 characters.
signin-token = Token
signin-token-hint = Paste it whole. It was shown once, when it was made.
signin-none = Neither yet? The first start of `estreat serve` prints a token for an administrator, who lets the others in. On the server itself, `estreat person create` and `estreat token create` do it too.

## Errors

error-home = To the overview
error-other-token = Sign in with another token
error-status = Status { $status }
error-title-unauthorized = No valid token
error-title-forbidden = Not allowed
error-title-not-found = Not found
error-title-invalid = A field is not valid
error-title-expired = Expired
error-title-too-large = The request is too large
error-title-too-soon = Too many wrong attempts
error-title-refused = This was not done
error-title-unavailable = Not possible now
error-title-finding = What was read is not what was recorded
error-title-internal = The server failed
error-no-such-page-title = There is no such page
error-no-such-page = The address may be mistyped, or what stood here is gone.
error-no-such-method-title = This page is not opened this way
error-no-such-method = Go to it from the overview.
error-cross-site-title = This was sent from another site
error-cross-site = Nothing was done. Forms are taken only from this server's own pages. If a proxy stands before the server, it must pass on the Host and Origin headers unchanged.
error-form-title = This form cannot be read
error-form = Nothing was done. Go back and send it again.
error-unreadable = The address, or what was sent with it, cannot be read. Nothing was done.
error-internal = This is a fault of the server; its log says more. Nothing acknowledged is lost.
error-advice-unauthorized = Sign in again.
error-advice-forbidden = An administrator can give you an account that may.
error-advice-finding = Nothing was shown, since what is stored is not what was recorded. Leave the data folder as it is, and have the operator run `estreat verify --deep` on it.
error-advice-expired = If it is needed again, ask whoever made it for a new one.
error-advice-too-soon = Go back then. Nothing is locked, and nothing else has happened.
error-advice-unavailable = Try again in a moment. If it stays, the overview and the server's log say what the operator can do.

## Why something was not done

refusal-unauthorized = this needs a valid token: send `Authorization: Bearer TOKEN`, or sign in
refusal-not-found = there is no such { $thing }, or this token may not see it
refusal-ended = this { $thing } has ended
refusal-too-soon = there were too many wrong attempts; wait { $n } s and try again
refusal-finding = what is stored is not what was recorded, so it is not shown
refusal-role = an account of role { $role } may not do this; use one of these roles: { $roles }
refusal-log = this account does not cover the log { $log }
refusal-wider = your account covers these logs: { $logs }; an account for others takes an administrator who covers them
refusal-reserved = logs whose names begin with _ are the server's own
refusal-busy = the queue is full; send again in a moment
refusal-recovering = the log is being recovered after a restart; send again in a moment
refusal-by-log = the log does not take entries until an operator has looked at it: { $detail }
refusal-by-disk = the disk refuses, and nothing of this request was kept: { $detail }. Send it again later
refusal-no-space = only the disk space reserved for auditing is left; free some, then send again
refusal-stopping = the server is stopping; send again after its restart
refusal-too-many-logs = there are as many logs as the server may have; name an existing one or raise the limit
refusal-key-conflict = this Idempotency-Key came with another body before; use a new key for new events
refusal-storage = the server's own files cannot be read or written now: { $detail }
refusal-place = the entry's place is not known yet; try again in a moment
refusal-tree = the catalog does not have the tree of { $log } so far yet; try again
refusal-case-changed = somebody else has changed this case just now; load it again, and try again
refusal-checks-waiting = too many verifications wait; ask again when some of them are done
refusal-disk-full = the disk is full: free some space, then ask for the export again
refusal-export-unfinished = the export is not finished yet; ask for its status
refusal-link-unfinished = the export is not finished yet; make the link when it is
refusal-no-export = no log can be exported: { $findings }
refusal-sign-in-busy = too many people sign in at once; try again
refusal-second-person = a second person decides: neither who asks nor whose name it is
refusal-not-allowed-yet = nobody has allowed this yet; a second person must
refusal-decided = this was decided, or the name was shown, before: ask anew
refusal-log-name = not a valid name: a log's has 1 to 63 small letters, digits, dots, dashes and underscores, and begins with neither dot nor dash
refusal-role-word = a role is one of writer, auditor, regulator, admin, operator
refusal-name = give a name of 1 to { $n } bytes, without control characters
refusal-name-taken = there is a person of this name; choose another
refusal-words = at most { $n } bytes, without control characters
refusal-description = at most { $n } bytes
refusal-purpose = say what this is read for; it is kept in _access
refusal-case-number = the log { $log } is read only with a case number
refusal-subject = a data subject's id has 1 to { $n } bytes and no control characters
refusal-subject-or-subjects = give either `subject` or `subjects`
refusal-subjects = give 1 to { $n } ids of one person
refusal-time = write a moment as in RFC 3339, such as 2026-05-04T00:00:00Z
refusal-day = write a day as year-month-day, such as 2026-05-04
refusal-range = the range is empty: `to` must be later than `from`
refusal-time-zone = write a zone of the IANA database, such as Europe/Berlin, or UTC
refusal-passed = this moment has passed
refusal-kept-until = the export itself is kept until { $at }; a link cannot last longer
refusal-link-day = say on which day the link ends
refusal-links = an export has at most { $n } links; make a new export
refusal-recipient = say whom the link is for, in 1 to { $n } bytes without control characters
refusal-logs-none = name at least one log, or leave `logs` out for all
refusal-logs-of-case = name logs of the case, or none for all
refusal-no-logs = there is no log to export from
refusal-cases = { $n } cases of yours are open; close one first
refusal-case-ids = a case has at most { $n } ids
refusal-share-with = each is a token's id of 32 hexadecimal digits
refusal-audience = choose one of the two
refusal-language = choose one of those
refusal-withhold = an export withholds at most { $n } entries
refusal-withhold-line = line { $line } is not of the form: `orders/17 gdpr-15-4 auditor 1a2b3c4d`
refusal-withhold-log = an entry to withhold is in none of the logs asked for
refusal-withhold-nobody = who decided is empty: name role and pseudonym, or leave it out if it was you
refusal-withhold-twice = { $place } stands twice; give it one ground
refusal-old-password = this is not your password
refusal-again = this is not what stands in the field above
refusal-password-short = at least { $n } characters; any will do, and several words are good
refusal-password-long = at most { $n } bytes
refusal-segment-number = write a segment's number, such as 7
refusal-segments-order = the range is empty: the last segment must not be before the first
refusal-segments-none = this log has no closed segment yet
refusal-segments = the closed segments of this log are 0 to { $last }
refusal-page-rows = 1 to { $n } rows a page
refusal-checkpoint = this is not the signed note of a checkpoint: { $flaw }
refusal-checkpoint-one = give the note of a checkpoint, or the size of one that is kept
refusal-checkpoint-other = this is a checkpoint of { $other }, not of { $log }
refusal-cursor = send the cursor of the page before, unchanged
refusal-idempotency-key = 1 to { $n } bytes
refusal-quarantine = the only word here is quarantine
refusal-act = name an entry of _access
refusal-nobody-behind = no account stands behind this act
refusal-decision = write approve or refuse
refusal-too-large = a body has at most { $n } bytes here
refusal-cut = the connection broke; send again
refusal-too-slow = nothing came for ten seconds, or it took too long in all; send the request again
thing-account = account
thing-case = case
thing-case-page = page of this case
thing-checkpoint = checkpoint
thing-entry = entry
thing-export = export
thing-export-file = file of this export
thing-export-failed = file: the export failed
thing-link = link
thing-log = log
thing-outcome = outcome
thing-own-case = case of yours
thing-password = password
thing-person = person
thing-request = request
thing-segment = closed segment
thing-token = token
thing-verification = verification

## States of a log

phase-open = takes entries
phase-recovering = is being read after a start; entries are refused until it is done
phase-repairing = gave up a failed write and begins a new segment; it goes on by itself
phase-refused = takes no entries until its operator acts; `estreat verify` says more
status-queued = queued
status-running = running
status-done = done
status-failed = failed
status-open = open
status-recovering = recovering
status-repairing = repairing
status-refused = refused

## The report

report-title = Report on one data subject
report-lead = A true extract from an audit log. It can be checked without whoever sent it; the last section says how.
report-asked = What was asked
report-subject = Data subject
report-subject-exactly = `{ $subject }` (exactly these characters)
report-range = Event times
report-range-utc = The same in UTC
report-range-all = from the beginning to the end
report-range-from = from { $from } to the end
report-range-to = from the beginning to before { $to }
report-range-both = from { $from } to before { $to }
report-logs = Logs
report-purpose = Purpose
report-case = Case
report-asked-by = Asked by
report-made-at = Made at
report-made-for = Made for
report-for-authority = an authority: exact bytes of every entry
report-for-person = the person: entries that name anybody else are withheld in their exact bytes
report-verdict = Verdict
report-verified = VERIFIED: { $entries ->
    [one] 1 entry names exactly `{ $subject }`
   *[other] { $entries } entries name exactly `{ $subject }`
}
report-of-them-withheld = { $n } of them withheld
report-of-them-erased = { $n } of them erased
report-found = ALTERED OR INCOMPLETE: { $findings ->
    [one] 1 finding
   *[other] { $findings } findings
}; entries that could be read: { $entries }
report-verified-means = VERIFIED means: unaltered since it was recorded, and complete as recorded. Every entry shown was found again in the signed history, and for every closed part of the log it is proved either which entries name this data subject or that none does. It does not say that what services sent was true, that they sent everything, or that anything was lawful.
report-found-means = What is listed above is not as it was recorded, or could not be read. Everything else in this report was checked. Keep this bundle and the server's data folder unchanged, and have the operator run `estreat verify --deep`.
report-others-authority = *{ $n ->
    [one] 1 of these entries names someone else
   *[other] { $n } of these entries name someone else
}* (another data subject or a member of staff). Handle them as personal data of those people too.
report-others-person = *{ $n ->
    [one] 1 of these entries names someone else
   *[other] { $n } of these entries name someone else
}* (another data subject or a member of staff). In their exact bytes they are withheld; they stand masked below.
report-complete = What “complete” means here
report-complete-lead = Whoever answers a question about a person could leave something out. This report can be checked for that, by anyone, and without trusting whoever made it:
report-complete-register = Each time a part of the log is closed, a register is made of all persons named in it, each with the numbers of all entries that name them. The register holds no names: a person stands in it under a mark that only the server can make, but that anyone can check to be this person's.
report-complete-proof = The bundle shows, for each closed part, the place in the register where this person stands, and with it the list of all entries that name them. An entry that is on the list and not in the bundle is found by the check.
report-complete-seal = Register and entries are bound to the log's signed state (its checkpoint) by chains of hashes. Whoever changes, adds or removes anything afterwards, be it one letter, can no longer show a chain that fits the signature.
report-complete-nothing = That nothing was found is an answer too, and proved: for each closed part the bundle shows the two neighbours in the sorted register between which this very id would stand, and that nothing stands between them.
report-limits = Its limits
report-limit-sent = Only what services sent can be found. What was never sent, or was sent without naming the person, is in no register.
report-limit-id = The answer holds for exactly the id asked for, letter by letter. Another spelling is another id and needs a question of its own.
report-limit-index = That the register was complete when it was made is the word of the server. Whoever has its key can make it again from the entries and compare (`estreat verify --deep`).
report-limit-history = That there is one history only, and not another one shown to somebody else, is seen by comparing the checkpoint with one that others hold.
report-limit-word = The purpose, who asked, this report's words, its tables and its list of readings are the word of whoever signed `manifest.note`; the proof is about the entries.
report-coverage = Coverage
report-coverage-table = What was verified, by log
report-log = Log
report-segments = Closed segments
report-entries-covered = Entries covered
report-links-covered = Links covered
report-unnamed = Name nobody
report-quarantined = Quarantined
report-signed = Checkpoint signed
report-coverage-means = Covered is everything that the server had acknowledged when this was asked. “Name nobody” counts entries without a data subject in the parts of the log that reach into the range; “quarantined” those of them that a service sent unreadable and that were kept as they came. Neither can be found by a person's id.
report-left-out = Not covered, since they could not be read: { $logs }. What was found there is said under the verdict.
report-withheld = Withheld on a ground of law
report-withheld-table = Entries withheld on a ground of law
report-withheld-means = These entries name the person and are not shown. That they are there, and where, is proved; their content is not disclosed. Whoever may know it can ask for them under these numbers.
report-withheld-missed = Asked to be withheld, but not among the entries of this export: { $places }.
report-ground = Ground
report-decided-by = Decided by
report-ground-15-4 = GDPR Art. 15(4): a copy would adversely affect the rights and freedoms of others
report-ground-17-3 = GDPR Art. 17(3): kept for a purpose named there, such as a legal claim
report-ground-23 = GDPR Art. 23: the right is restricted by Union or Member State law
report-summary = Summary
report-summary-none = No entry names this data subject in the range. That is proved: for each closed part of the log the bundle shows that the place where this id would stand is empty.
report-summary-without = Not counted below, since withheld on a ground of law: { $n }.
report-chart = Entries over time
report-by-operation = By operation
report-by-purpose = By purpose
report-by-role = By the actor's role
report-by-month = By month (UTC)
report-value = Value
report-count = Entries
report-not-said = not said
report-others = all others together
report-disclosures = To whom the data was disclosed
report-disclosures-table = Recipients named by the entries
report-disclosures-none = No entry shown here names a recipient.
report-disclosures-more = Entries that name further recipients, not listed here: { $n }. All are in `entries.csv`.
report-handed-lead = Besides, exports about this id were handed out through this server, by links made for these recipients, whatever range was asked for. Each use of a link is recorded in the log `_access` before anything is shown.
report-handed-table = Recipients of links
report-handed-links = Links made
report-handed-uses = Openings and downloads
report-handed-more = There are further recipients of links, not listed here. All are in the log `_access`.
report-recipient = Recipient
report-first = First
report-last = Last
report-readings = Who consulted the data through this server
report-readings-table = Readings
report-readings-lead = Each search, reading, export and download about this id is recorded before anything is shown. The list has all of them up to this report, whatever range was asked for. Staff stand by role and pseudonym; the log `_access` holds the proof.
report-readings-none = None is recorded.
report-readings-more = This is the beginning of the list: the first { $n }. The others are in the log `_access`.
report-readings-unread = Some readings cannot be shown, since what was read is not what was recorded:
report-time = Time
report-what = What
report-role = Role
report-pseudonym = Pseudonym
report-why = Purpose
report-did-search = searched for the entries
report-did-read = read one entry in full
report-did-check = checked one entry
report-did-export = asked for an export
report-did-download = downloaded an export
report-did-share = made a link to an export
report-did-open-link = opened a link to an export
report-did-revoke-link = ended a link to an export
report-entries = Entries
report-entries-table = Entries that name the data subject, log by log
report-entries-first = This table shows the first { $shown } of { $all } entries. All of them are in `entries.csv` and in `logs/<log>/entries.ndjson`.
report-place = Entry
report-entry = Entry
report-operation = Operation
report-outcome = Outcome
report-basis = Lawful basis
report-actor = Actor
report-resource = Resource
report-payload = Payload
report-hidden-others = withheld: names someone else
report-hidden-ground = withheld on a ground of law
report-hidden-erased = erased by a recorded decision
report-check = How to check this without us
report-check-lead = Nothing here needs this server, its operator or a network. Any one of these is enough; whoever must not trust the sender uses programs got from somebody else.
report-check-keys = Get the verifier keys by another way than this file, for example from the operator in writing, and compare their fingerprints over the telephone.
report-check-browser = In a browser: open `verify.html` (better: your own copy of it), drop the zip on it, and give it the keys. Nothing is uploaded.
report-check-program = With the program: `estreat verify bundle.zip --key KEY`, with one `--key` for each key below. It prints each step and the verdict.
report-check-script = With the independent script: `python3 verify_bundle.py bundle.zip --key KEY`. It shares no code with the program and checks the same.
report-check-keys-title = The keys
report-check-keys-lead = This server names these keys. Compare them; do not trust them because they stand here.
report-key = Key
report-fingerprint = Fingerprint
report-check-openssl-title = The signatures, with openssl alone
report-check-openssl-lead = In a shell, beside the zip. Put in the keys that you were given in place of these. Each check must say that the signature is verified; it shows who vouches for the manifest and for each log's state.
report-check-openssl-means = The last two lines print hashes: that of `manifest.json` must be the line printed below it, which is signed; each of the others must stand beside its file's name in `manifest.json`.
report-check-python-title = Every entry, with a page of Python
report-check-python-lead = This shows that every file is the one listed, and that every entry shown lies unaltered under the checkpoints that openssl has just checked. That nothing was left out takes the register's marks too (a verifiable random function, C2SP vrf-r255), which the three ways above check. Save it as `check.py`, then run `python3 check.py bundle.zip`.
report-checkpoint-of = Checkpoint of { $log }
report-page = Page { $page } of { $pages }

## Forms

form-nothing-done = Nothing was done.
form-one-field = One field needs you:
form-optional = (optional)
form-subject = Data subject
form-subject-hint = The id exactly as services send it: capitals, spaces and accents count.
form-logs = Logs
form-logs-hint = None ticked: all logs but those that begin with an underscore.
form-from = First day
form-from-hint = In UTC, by the time of the event.
form-from-zone-hint = By the clocks of the time zone, by the time of the event.
form-to = Last day
form-to-hint = Included.
form-purpose = Purpose
form-purpose-hint = What this is read for. It is kept in the log _access.
form-case = Case
form-case-hint = Its number, where a log asks for one.
form-time-zone = Time zone
form-time-zone-hint = Where the days begin and end, such as Europe/Berlin.
form-language = Language of the report
form-language-hint = For report.html and report.pdf.
form-audience = Made for
form-authority = An authority
form-authority-hint = exact bytes of every entry, other persons included; it says how many entries name someone else
form-person = The person
form-person-hint = entries that name anybody else, staff included, are withheld provably and stand masked
form-withhold = Withhold whole entries
form-withhold-hint = One a line: log and number of the entry, the ground of law, and who decided, by role and pseudonym (if nobody is named, you): `orders/17 gdpr-15-4 officer 7f3a`. That they are there stays proved, and the report names the ground.
form-share-with = Share with
form-share-with-hint = Ids of regulators' accounts, separated by spaces. They can download it.
form-name = Name
form-role = Role

## Entries

entry-cut = Shown: the beginning, of { $bytes } bytes in all. Open the entry to see all of it.
entry-hides = It has characters that nobody sees. Under “To read” each is marked with its number.
entry-to-read = To read
entry-exact-bytes = Exact bytes

## Jobs

job-in-work = In work
job-again = Look again
job-goes-on = It goes on when you leave this page.
job-of = of
job-entries = entries
job-links = links
job-uncounted = not counted yet
job-queued = waiting for its turn
job-rolling = closing the segments that are being written
job-gathering = reading and checking entries
job-writing = writing the bundle
job-verifying = checking the bundle
job-finished = finished
job-running = reading and checking links

## Exports

exports-new = New export
exports-new-lead = Everything about one data subject, gathered, checked, and packed with its proofs. It goes on when you leave the page.
exports-ask = Export
exports-none = There is no export yet.
exports-none-do = An export gathers everything about one data subject in a bundle that anyone can verify. Begin with one, or with a [search](/search).
exports-none-shared = There is no export shared with this account yet.
exports-none-shared-do = An auditor shares one with a regulator's account when asking for it.
exports-list = Exports, the newest first
exports-list-note = At most the newest 200. Whom an export is about stands only on its own page.
exports-one = Export
exports-status = Status
exports-kept = Kept until
export-found = *{ $verdict }*, step { $step }, { $n ->
    [one] 1 finding
   *[other] { $n } findings
}: { $means }
export-summary = { $first }, { $second }
export-title = Export { $id }
export-failed = It failed
export-failed-do = Nothing was handed out. Ask again; if it fails again, the server's log says more to its operator.
export-findings = Findings
export-entries = Entries
export-withheld = Withheld
export-on-ground = of these asked for on a ground of law: { $n }
export-others = Name someone else
export-downloads = Downloads
export-downloads-note = Each download is recorded in the log _access.
export-file = File
export-what-it-is = What it is
export-bytes = Bytes
export-verify = How to verify it
export-verify-lead = Whoever receives the bundle checks it without this server and without a network:
export-verify-keys = The keys must reach them by another way than the bundle. Read the fingerprint over the telephone:
export-from = from { $at }
export-to = to before { $at }
export-asked = Asked
export-finished = Finished
export-digest = SHA-256 of the bundle
export-file-bundle = everything: the report, the entries, the proofs. This is what verifies
export-file-html = the report, to read
export-file-pdf = the report, to print
export-file-ndjson = every entry to the letter, one a line
export-file-csv = every entry as a row, for spreadsheets
export-file-masked = entries that name others, masked

## One entry

entry-title = Entry { $entry } of { $log }
entry-checked = Its bytes hash to a leaf of its batch, and the batch to the link below.
entry-covered = The link lies under the checkpoint of { $links } links, signed
entry-uncovered = No checkpoint covers it yet: it stands in the active segment.
entry-just-now = Checked just now by this server.
entry-erased = *ERASED.* Its bytes are gone by a recorded decision; its leaf stays, so that everything else can still be proved.
entry-link = Its link
entry-link-number = Link
entry-in-segment = { $link }, in segment { $segment }
entry-committed = Committed
entry-leaf = Leaf of the entry
entry-link-hash = Hash of the link
entry-link-bytes = Bytes of the link
entry-proof = Its proof
entry-proof-note = As in proof.json of a bundle; an export checks without this server.
entry-say = Say what it is read for; then it is shown.
entry-show = Show the entry

## Verifications

verification-title = Verification { $id }
verification-of = Verification of { $log }
verification-goes-on = It goes on when you leave this page, and after a restart of the server.
verification-failed = It could not be done
verification-failed-do = This says nothing about the log. Ask again on [its page](/logs/{ $log }).
verification-sound = Every link, digest and tree that was read fits what was signed.
verification-read = What was read
verification-where = Where
verification-verdict = Verdict
verification-expected = Expected
verification-found = Found
verification-step = Step
verification-altered = Bytes differ from what was recorded and signed. A failing disk does that, a program that wrote into the folder, or a person. Leave the folder as it is, copy it elsewhere, compare with a backup, and find out who could write there.
verification-missing = Something that was recorded is not there any more. Look for the file in a backup before anything else is done; if it was removed by a person, find out who and why.
verification-truncated = The log ends earlier than what was acknowledged or signed. An older copy of the folder may have been put in place, or its end was cut. Compare with backups and with checkpoints that others hold.
verification-unknown-key = Everything fits together, but it is signed by another key than this server's. The folder may have come from another server.
verification-summary = { $verdict }: { $links ->
    [one] 1 link
   *[other] { $links } links
}, { $entries ->
    [one] 1 entry
   *[other] { $entries } entries
} under the checkpoint
verification-segments = Segment files
verification-opened = Entries opened
verification-covered = Entries under a checkpoint
verification-what = What

## Check of an entry

check-title = Check of entry { $entry } of { $log }
check-do = Check it now
check-note = Anew from disk, step by step.
check-again = Check again
check-holds = Every step holds, from the bytes on disk to the signed checkpoint.
check-open = What can be checked holds. No checkpoint covers the entry yet: its segment is not closed.
check-fails = A step fails: the entry is not what was recorded. Leave the data folder as it is, and verify the log.
check-steps = The steps, from the bytes to the checkpoint
check-step = Step
check-found = Found
check-expected = expected
check-bytes = The bytes on disk open under the segment’s key
check-leaf = Salt and bytes of the entry hash to its leaf
check-batch = The leaves of the batch hash to the root in its link
check-link = The bytes of the link hash to a leaf of the log
check-checkpoint = That leaf lies under the root of the checkpoint
check-signature = The checkpoint is signed by the key of this server
check-step-holds = holds
check-step-fails = fails
check-step-open = nothing to compare with yet
check-step-not-reached = not reached
check-no-signature = no signature by this key holds
check-unknown-key = this key has not signed it
check-links = the log has { $n ->
    [one] 1 link
   *[other] { $n } links
 }
check-place = segment { $segment }, link { $link }
check-value = `{ $value }`

## Search

search-title = Search by data subject
search-lead = What you ask becomes a case: one person’s ids, kept sealed, with a page that you can come back to.
search-subjects = Ids of one person
search-subjects-hint = One a line, exactly as services send them: capitals, spaces and accents count.
search-ids = Ids
search-made = Made
search-cases = Your cases
search-cases-none = None is open. A search makes one.
search-cases-note = Only you see this list. A case can be opened by whoever covers its logs and has its address.
case-title = Case { $id }
case-alike = A look-alike id exists: `{ $subject }`. It is another id for this server; if it is the same person, add it.
case-alike-add = Add it to this case
case-add = Add an id
case-add-do = Add
case-total = { $n ->
    [0] No entry names this person
    [one] 1 entry names this person
   *[other] { $n } entries name this person
}
case-counted = Counted from the indexes; an entry that names several of the ids counts once. Ids are compared exactly.
case-narrowed = In the days and logs chosen below; filters by field are not applied to this number or the plot.
case-day = Entries by day, in UTC
case-month = Entries by month, in UTC
case-year = Entries by year, in UTC
case-plot = Entries from { $first } to { $last }; at most { $most } together. The table below has the numbers.
case-most = highest: { $most }
case-table = The numbers as a table
case-filter = Show only some
case-filter-do = Show these
case-filter-clear = Show all again
case-times = Time in UTC, and in your zone
case-pages = Pages of the entries
case-first = First page
case-export-lead = One bundle for each id, over the days and logs chosen above, for the purpose of this case.
case-export-do = Export each id
case-export-more = Export one id with more choices
case-export-gone = Its files have expired.
case-close = Close this case
case-close-lead = It is forgotten, with its key. Entries, exports and the log _access stay.
case-close-do = Close it

# Open cases, for administrators
cases-lead = Searches that auditors keep open. What a case is about rests sealed and is not shown here: only its number, when it was made, and its maker’s pseudonym. Whoever made one closes it; where that account has ended, close it here.
cases-none = No case is open.
cases-number = Number
cases-maker = Made by
cases-left = account ended
cases-end = Close
cases-end-means = The case is forgotten, with its key, for everybody; entries and exports stay. That you did it stands in the log _access.
cases-end-one = Close case { $id }
search-edge = The id asked for begins or ends with white space. If that was not meant, search again without it.
search-no-more = No more entries.
search-none-filtered = No entry names this data subject and fits the filters.
search-none = No entry names this data subject.
search-none-look = Look at the id again: every character counts, capitals and accents too, and nothing is matched by its beginning.
search-none-filters = Try without filters.
search-none-export = If it is right, this is an answer too: export it, and the bundle proves that nothing names this id.
search-page = Page { $page }: { $n ->
    [one] 1 entry, by the time of the event.
   *[other] { $n } entries, by the time of the event.
}
search-caption = Entries found, the earliest first
search-time = Time (UTC)
search-letter = Entry { $entry } of { $log } to the letter
search-others = { $n ->
    [one] names 1 more person
   *[other] names { $n } more persons
}
search-proof = Its link and proof
search-before = Page before
search-next = Next page
search-export-note = An export holds everything about the data subject in these days and logs; the filters by operation, purpose, actor and outcome are for looking only.
search-unshown = Not everything can be shown
search-unshown-do = These entries name the data subject, but what was read is not what was recorded. Keep the data folder as it is and verify the log.
search-complete = How complete this is
search-at = Searched at
search-complete-to = Complete up to and including:
search-complete-empty = nothing of *{ $log }*, which is empty
search-complete-entry = entry { $entry } of *{ $log }*
search-complete-none = nothing, for there is no log to search
search-only-sent = Only what services sent can be found; an entry that names nobody is found by no id.
search-only = Only entries with
search-only-hint = Each compares whole values, exactly.
search-operation-hint = Such as read.
search-purpose = Purpose of the entry
search-purpose-hint = As the service sent it.
search-actor-hint = Who acted.
search-outcome-hint = How it ended.
search-any = any
search-do = Search

## Overview

overview-works = Everything works.
overview-trouble = This needs a person
overview-first = Send the first event
overview-first-lead = No service has sent anything yet. With a token of role writer:
overview-first-log = The log `app` is made on first use.
overview-first-token = [Make a token of role writer](/tokens); make one of role auditor to search and export.
overview-first-ask = An administrator makes tokens.
overview-calls = All calls
overview-caption = The logs and their states
overview-verified = Verified
overview-segments = Segments
overview-bytes = Bytes on disk
overview-not-yet = not yet
overview-closed = { $n } closed
overview-active = segment { $segment } is active
overview-in-closed = in closed segments
overview-new = New log
overview-new-note = A log is also made by its first event. Make it here to set what reading it asks for.
overview-name = Name
overview-name-hint = Small letters, digits, dot, dash, underscore.
overview-make = Make the log

## One log

log-state = State
log-links = Links
log-commit = Last commit
log-checkpoint = Checkpoint
log-none-yet = none yet
log-description = Description
log-description-hint = What it is for, shown to auditors.
log-asks-case = Reading it asks for a case number
log-head = Chain head
log-closed = { $n }, { $bytes } bytes
log-active = Active segment
log-active-none = none: the next entry begins one
log-reading = Reading it
log-reading-case = asks for a purpose and a case number
log-reading-purpose = asks for a purpose
log-verification = Verification
log-verified = The last one was finished
log-verified-more = What it read and found
log-verified-none = None yet.
log-incremental = Only what came since the last one that found nothing
log-deep = Also open every payload and rebuild the indexes: slower, and sees all
log-verify = Verify this log
log-signs = It signs the first { $links } links; made
log-checkpoint-file = Download this note
log-checkpoint-none = None yet. The first is signed when a segment closes: after a day, when it is full, or for an export.
log-key = Key
log-key-lead = It checks this log's checkpoints. Give it to whoever verifies, and the fingerprint by another way, such as the telephone.
log-key-none = None yet; it is made with the log's first segment.
log-no-more = No more.
log-segments-none = None yet. What was sent stands in the active segment; it can be searched already.
log-segment = Segment
log-first-entry = First entry
log-subjects = Data subjects
log-times = Event times
log-closed-at = Closed
log-first-page = First segments
log-next-page = Next segments
log-settings = Settings
log-keep = Keep these settings

# Checkpoints
checkpoints-title = Checkpoints of { $log }
checkpoints-all = All checkpoints, and compare one
checkpoints-lead = A checkpoint states how many links the log had and the root over them, signed. One that somebody else holds shows at any later time whether the log was changed since.
checkpoints-keeps = Kept are the newest; the last of each hour, for the last { $hours } hours in which the log grew; the last of each day (UTC), for { $days } such days; and, for ever, each that an export is proved against. Others that were handed out can be compared by their notes.
checkpoints-kept = Checkpoints that are kept
checkpoints-from = Signed from
checkpoints-none = None in this time.
checkpoints-signed-at = Signed
checkpoints-root = Root
checkpoints-signature = Signature
checkpoints-by-key = by this log’s key
checkpoints-not-by-key = not by this log’s key
checkpoints-why = Kept as
checkpoints-newest = the newest
checkpoints-hour = the last of an hour
checkpoints-day = the last of a day
checkpoints-export = an export’s
checkpoints-note = Signed note
checkpoints-show = Show
checkpoints-download = Download
checkpoints-check = Compare with the log now
checkpoints-own = Compare one that you hold
checkpoints-own-hint = All of its lines, also the one that begins with a dash: from a bundle’s checkpoint.txt, or as it was sent to you.
checkpoints-compared = Checkpoint of { $links } links, compared
checkpoints-holds = it is still part of this log. The first { $links } links give its root, and the same links lie under the newest checkpoint, of { $newest } links.
checkpoints-truncated = this log has signed { $links } links and has { $newest } now. Its end was cut off, or an older copy was put in its place. Keep the folder as it is, and look for a newer copy.
checkpoints-altered = it is not part of this log. Either its signature is not this log’s, or the log is another one than it was. Keep the folder and this note as evidence, and verify the whole log.
checkpoints-unknown-key = this log’s key has not signed it, so that nobody vouches for what it says of this log. Ask whoever gave it to you for their key, and compare its fingerprint with the one below. If it was this log that signed it, its key was replaced: keep the folder and this note as evidence.
checkpoints-whole = Verify the log itself, from the disk
check-prefix = The first links of the log give the checkpoint’s root
check-newest = With all links after them they give the root of the newest checkpoint
page-place = Place in the list
log-times-from = Event times from

# Integrity: what findings mean, and what to do.
kind-checkpoint-gone = The log has no checkpoint
kind-checkpoint-unreadable = The checkpoint cannot be read
kind-signature = The checkpoint's signature does not hold
kind-other-log = The checkpoint is another log's
kind-unknown-key = No key says whose checkpoint this is
kind-stray = A file that does not belong here
kind-segment-gone = A segment is not there
kind-misplaced = A file in another's place
kind-header = A segment's beginning is not what was written
kind-key = A segment's key does not open
kind-frame = Bytes that cannot be read
kind-ends = A segment does not end where it was closed
kind-truncated = The log ends before its checkpoint
kind-root = The links are not those that were signed
kind-chain = A link does not follow the one before
kind-payload = Entries are not what was recorded
kind-index = A register of persons does not fit its entries
means-checkpoint-gone = The log has no checkpoint. Either somebody removed it, or the server was stopped before it could sign one. Without it nothing says how long the log is.
advice-checkpoint-gone = Look whether the server signs now (the log's page shows its checkpoint). If an older checkpoint is kept elsewhere, by a regulator or in a bundle, compare: the log must hash to its root.
means-checkpoint-unreadable = What stands where the checkpoint should be is no signed note. A file was overwritten, or the disk damaged it.
advice-checkpoint-unreadable = Keep the file, do not edit it. Compare `state.db` with a backup: it holds the same note. Then verify again.
means-signature = The checkpoint was not signed with this log's key: somebody wrote it who does not have the key, or the key was exchanged.
advice-signature = Compare the key's fingerprint with the one that was handed out. If it is the right one, take the checkpoint for forged: keep everything as it is, and find out who could write to the folder.
means-other-log = The checkpoint belongs to another log: files were mixed up, or exchanged on purpose.
advice-other-log = Put back this log's folder from a backup beside the present one, and compare both before you change anything.
means-unknown-key = Nobody has said whose checkpoint this is. What was checked fits together, but under no name.
advice-unknown-key = Get the log's key by a way that does not pass through this server, and verify with it.
means-stray = A file lies among the segments that the server did not write. Mostly somebody copied something there.
advice-stray = Find out where it comes from, then move it away. It changes nothing in what was recorded.
means-segment-gone = A whole segment file is gone. Its entries cannot be read, and nothing behind it can be tied to what came before.
advice-segment-gone = Put the file back from a backup: if it is the right one, it fits link by link. Until then do not answer that nothing was recorded.
means-misplaced = A segment file says that it is another one. Files were renamed or copied over each other.
advice-misplaced = Look for the right file in a backup. Keep the present one: it may be the only copy of another segment.
means-header = The beginning of a segment file is not what was written. Without it the segment does not tie in with the one before.
advice-header = Put the segment back from a backup, and verify it again. If it was altered on purpose, the file's times and the machine's own logs may say when.
means-key = The key that comes with this segment is not its own, or does not open under the KEK. Its entries cannot be read.
advice-key = Look whether the right KEK is in force, and put the key's file back from a backup.
means-frame = Bytes that are no whole frame: the disk has damaged them, or they were overwritten. The entries in this place are unreadable or altered.
advice-frame = Put the segment back from a backup and verify it again. If that is sound, look after the disk. If there is no backup, the entries of this link are lost; the others still stand.
means-ends = A segment does not end where it was closed: it was cut, or something was added behind its end.
advice-ends = Put the segment back from a backup, and verify it again. What stands behind a close link was never acknowledged.
means-truncated = The log ends before its checkpoint does. Entries that were acknowledged are gone: the end was cut off, or an old copy was put in place.
advice-truncated = Take no more entries until it is clear what is missing. Look for a newer copy of the folder; the right one reaches the checkpoint's links.
means-root = Link by link everything follows, but together it is not what was signed. Somebody has written the history anew, or an old copy was put in place.
advice-root = This cannot happen by chance. Keep the folder as evidence, and compare it with a backup and with checkpoints that others hold.
means-chain = A link does not follow the one before. Something was altered, removed, repeated or put in another order at this place.
advice-chain = Put the segment back from a backup and verify it again. If the backup is sound, keep the altered file as evidence.
means-payload = What is sealed in this link is not what the link states. The entries of this batch are not those that were recorded, or the key is not theirs.
advice-payload = Put the segment back from a backup and verify it again, deep. Do not rely on the entries of this link.
means-index = The segment's list of who is named where is not what its entries give. An export could leave something out, or name something that is not there.
advice-index = Put the segment back from a backup and verify it again, deep. Search does not help here: check by reading the segment's entries.

integrity-title = Integrity
integrity-lead = Whether the logs are what was recorded: every link, every hash and every checkpoint, checked anew from the disk.
integrity-all = Check all logs
integrity-all-note = Checks wait in a row and are made one at a time, on half of the cores at most. One that a restart cuts off goes on where it was.
integrity-waiting = { $n ->
    [one] { $n } check waits or runs.
   *[other] { $n } checks wait or run.
 }
integrity-idle = No check waits.
integrity-schedule = The schedule checks what is new in each log every { $n ->
    [one] hour
   *[other] { $n } hours
 }.
integrity-schedule-off = The schedule is off (`verify_hours = 0`): checks are made only when somebody asks.
integrity-history = Checks so far
integrity-none = No check yet. Start one above.
integrity-by-schedule = by the schedule
integrity-asked-by = asked for
integrity-kind-whole = whole
integrity-kind-new = what is new
integrity-kind-deep = deep
integrity-kind-range = segments { $first } to { $last }
integrity-kind-end = the end
integrity-what = What
integrity-only-found = Only checks with findings
integrity-filter = Show
integrity-verdict = Last check
integrity-not-yet = not checked yet
integrity-elsewhere = nothing found here
integrity-elsewhere-note = That check has found something elsewhere in the log.
integrity-first-segment = From segment
integrity-last-segment = To segment
integrity-range-hint = Closed segments, both included. Empty: all.
integrity-means = What it can mean
integrity-do = What to do
integrity-exactly = Exactly, in the verifier's words
integrity-resumed = The server was restarted during this check; it went on at segment { $segment }.
integrity-more-findings = { $n ->
    [one] One more finding is not listed.
   *[other] { $n } more findings are not listed.
 }
integrity-segment = Segment { $segment } of { $log }
integrity-links = Links
integrity-links-lead = The links as they stand in the segment's file. Nothing in them was opened.
integrity-hash = Leaf hash
integrity-kind-of-link = Kind
integrity-batch = batch
integrity-close = close link, with the sealed subject index
integrity-offset = Byte
integrity-this = Check this segment
integrity-link = Link
page-first = First page
page-next = Next page

# What needs a person, and what to do.
attend-disk-reserve = Only the disk reserve is left: entries are refused.
attend-disk-spent = The disk is full: entries and audited reads are refused.
attend-no-space = { $value } requests were refused since there was no disk space.
remedy-disk = Free disk space, or move the data folder to a larger disk. Nothing that was acknowledged is lost.
attend-failed-writes = Writing to the disk has failed: { $value }
remedy-failed-writes = Look after the disk and the machine's log. Then verify the logs: what was acknowledged must be there.
attend-clock-back = The machine's clock stood { $value } seconds behind what was already recorded.
remedy-clock-back = Set the clock right and have it kept by NTP. The order of entries is safe; times from meanwhile may be wrong.
attend-recovering = Log { $log } is being read after a start.
remedy-recovering = Wait a moment.
attend-repairing = Log { $log } is being repaired after a failed write: { $value }
remedy-repairing = It opens again by itself when the disk can be written. If it does not, look after the disk.
attend-log-refused = Log { $log } takes no entries: { $value }
remedy-log-refused = Verify it, and read what was found before anything is changed.
attend-finding = The last verification of log { $log } has found something: { $value }
remedy-finding = Read what was found, what it can mean and what to do.
attend-missed = The scheduled check of log { $log } has been due since { $value }.
remedy-missed = The server may have been off, or checks take longer than the time between them. Start one by hand.
attend-queue-full = { $value } requests were refused since the queue was full.
remedy-queue-full = Services send faster than the disk takes it. Those who send again with their idempotency key lose nothing. Send more events in a request, or raise `queue_bytes`.
attend-unreadable = { $value } requests were refused: their bodies could not be read.
attend-invalid = { $value } requests were refused: an event in them was not valid.
remedy-unreadable = The services that sent them were told which line is wrong; look into their logs. What they do not send again is not recorded.
attend-too-large = { $value } requests were refused: too large.
remedy-too-large = Have the services send smaller requests. What they do not send again is not recorded.
attend-not-allowed = { $value } requests were refused: their account may not write there.
remedy-not-allowed = Look at the services' tokens: their role and the logs that they name.
attend-not-open = { $value } requests were refused: their log did not take entries.
remedy-not-open = Services that send again with their idempotency key lose nothing. Look at the logs below.
attend-quarantined = { $value } events sent to log { $log } could not be read; they are kept as they came.
remedy-quarantined = They stand in the log under the operation `quarantined`, and name nobody: no search and no export about a person finds them. Have the service send them again as they should be.
attend-new-readers = Accounts that can read, made in the last 7 days: { $value }.
remedy-new-readers = If you know nothing of them, look in the access log for who made them.
attend-others = { $value } more of these.
remedy-others = Show only the logs that need somebody.
overview-since = Entries by the hour, refusals and quarantined events are counted since the server's start at
overview-free = Free disk space: { $bytes } bytes.
overview-rate = Last 24 hours
overview-rate-alt = Entries by the hour: { $now } in the present hour, { $sum } in 24 hours, at most { $most } in one
overview-per-hour = { $n } in this hour
overview-known = Good to know
overview-look = Look
overview-missed = missed
overview-only-attention = Only logs that need somebody
overview-count = { $n ->
    [one] { $n } log
   *[other] { $n } logs
 }
attend-sign-ins = { $value } sign-ins were refused within the last hour.
remedy-sign-ins = Somebody may be guessing: guesses are slowed, and known browsers are not. Look in `/metrics` which kind it is, and in the log of the proxy where they come from.
attend-names-asked = { $value } requests for a name of the access log wait for a second person.
remedy-names-asked = Read what the name is needed for, and allow or refuse it.

access-did-verify = had logs verified
access-did-compare = compared a checkpoint with its log
access-did-close-case = closed somebody’s case
access-did-read = read the access log
access-did-ask = asked for a name
access-did-approve = allowed that a name is shown
access-did-refuse = refused that a name is shown
access-did-show = was shown a name
access-did-create-token = made a token that can read
access-did-create-person = let in a person who can read
access-did-reset-password = made a new password for somebody who can read
access-did-revoke-token = revoked a token
access-did-remove-person = removed a person
access-did-set-require-case = changed whether a log asks for a case number
access-lead = Who read what, why and when. People stand here by role and pseudonym; reading this is itself recorded here.
access-names = Names
access-found = Acts, the newest first
access-none = No act fits on this page. Older ones may: go on, or change the question.
access-when = When
access-by = By
access-unshown-do = Acts may be missing at these places: what was read is not what was recorded. Keep the data folder as it is and verify the log.
access-person = about one person or several
access-details = Details
access-ask = Ask for the name
access-ask-note = A second person must allow it. The request is recorded.
access-looked = { $n ->
    [one] { $n } entry was looked at.
   *[other] { $n } entries were looked at.
 }
access-older = Older
access-read = Read the access log
access-operation-hint = Such as search, read_entry, export, verify, create_token.
access-role-hint = auditor, regulator, admin.
access-log-hint = Only acts about this log.
access-names-lead = The name behind a pseudonym takes two people: one asks and says why, another one allows or refuses. Each step is recorded.
access-names-none = Nobody has asked for a name. Ask beside an act of the access log.
access-name-of = The name behind { $pseudonym }
access-name-once = It is shown this once. That it was shown is recorded.
access-pseudonym = Pseudonym
access-decide = Decide
access-waiting = waits for a second person
access-approved = allowed
access-refused = refused
access-shown = shown
access-expired = expired
access-approve = Allow
access-refuse = Refuse
access-show = Show the name, once
access-until = Until
access-second = Another auditor or an administrator decides.
nav-access = Access log

## Accounts

role-writer = appends entries; reads nothing
role-auditor = searches, exports and verifies
role-regulator = downloads the exports shared with it
role-admin = manages people, tokens and logs; reads no entry
role-operator = reads metrics
state-valid = valid
state-revoked = revoked
state-expired = expired
account-title = Your account
account-made = Made
account-ends = Ends
account-ends-never = never
account-id = Id
account-all-logs = all
account-logs-hint = Names, separated by spaces. None: all logs.
account-expires-hint = In UTC, included. None: it does not end.
account-changed = Your password is changed. All other sessions have ended.
account-old = Your password now
account-old-hint = If you do not know it, an administrator makes a new one.
account-new = New password
account-new-hint = At least { $n } characters, whichever you like. Several words that you can remember are good.
account-again = New password again
account-again-hint = So that nothing is mistyped.
account-change = Change the password
account-change-means = All your other sessions end.
account-is-token = You are signed in with a token, which has no password. To change it, have an administrator make a new one and revoke this one.
account-sessions = Sessions
account-sessions-lead = If you have lost a device, or left a browser signed in:
people-made = { $name } may sign in
people-made-do = Hand this password over now. It is shown this once, and kept nowhere. They change it under their name, at the top of every page.
people-none = Nobody signs in with a password yet.
people-none-do = Tokens are for services; people sign in here with a name and a password.
people-password-set = Password set
people-do = New password, or remove
people-reset = Make a new password for { $name }
people-reset-means = The old one holds no more, and all sessions end. For one who can read it is an entry in the log _access.
people-remove = Remove
people-remove-means = The account ends at once, with all its sessions.
people-remove-own = It is your own.
people-remove-one = Remove { $name }
people-new = New person
people-name-hint = The name to sign in with; capitals do not count.
people-new-note = A person who can read is itself an entry in the log _access.
people-let-in = Let the person in
tokens-made = The token { $name } is made
tokens-made-do = Copy its secret now. It is shown this once, and kept nowhere.
tokens-revoke = Revoke
tokens-revoke-means = It ends at once, with all its sessions, and cannot be made valid again.
tokens-revoke-own = You are signed in with it.
tokens-revoke-one = Revoke { $name }
tokens-new = New token
tokens-name-hint = What people call it: the service or the person.
tokens-new-note = A token that can read is itself an entry in the log _access.
tokens-make = Make the token
start-title = What this account can do
start-writer = It appends entries to logs. It reads nothing, so there is little to see here.
start-writer-answer = The answer 201 says that the event is on disk and chained.
start-operator = It reads metrics at `/metrics`, with `Authorization: Bearer`. It reads no log.
start-operator-health = Health needs no token: [/healthz](/healthz) says that the process answers, [/readyz](/readyz) whether it can do its work.
start-regulator = It downloads the exports that an auditor shared with it. Each download is recorded.
start-exports = To the exports
start-other = See the navigation above.

## Links

link-share = Hand it to somebody without an account
link-made = *The link for { $recipient } is made.* Copy it now: it is shown this once, and kept nowhere.
link-made-phrase = The pass phrase. Tell it by another way than the link, such as the telephone.
link-made-open = Whoever has the link may download, without a pass phrase.
link-list = Links
link-recipient = Recipient
link-recipient-hint = Who gets it: an authority, or a person. It is kept in the log _access.
link-last-used = Last used
link-without-phrase = without a pass phrase
link-revoke-whose = the link for { $recipient }
link-expires-hint = In UTC, included.
link-open = Without a pass phrase
link-open-means = whoever comes by the link may download
link-make = Make a link
link-title = An export for you
link-closed-lead = Somebody has sent you this link to hand over an extract of an audit log: what was done with the data of one person, with proofs that you can check yourself.
link-refused = *This is not the pass phrase.* It came to you by another way than the link. Ask whoever sent it.
link-pass-phrase = Pass phrase
link-pass-phrase-hint = Four groups of five letters and digits; capitals do not count.
link-show = Show what there is
link-recorded = That you opened it, and each download, is recorded.
link-ends = The link ends:
link-made-at = The export was made:
link-open-lead = An extract of an audit log about one person: every entry that names them, with proofs that nothing in it was altered and nothing left out.
link-entries = { $n ->
    [one] 1 entry
   *[other] { $n } entries
}
link-take = Take the bundle: everything else is in it. Each download is recorded.
link-download = Download
link-check = Check it yourself
link-check-page = [Open the page that checks a bundle](/verify) and drop `bundle.zip` on it. Nothing is uploaded: your own browser does it. The same page is inside the bundle as `verify.html`, and works without a network.
link-check-trust = If you must not trust whoever sent this, use a copy of that page that you have from elsewhere, and compare the key's fingerprint with them over the telephone. `README.txt` in the bundle says how to check everything with other programs.

## The API

docs-lead = JSON in and out. Send `Authorization: Bearer TOKEN`. Errors are `application/problem+json` (RFC 9457). For programs: [openapi.json](/openapi.json)
docs-for = For:
docs-anyone = anyone
docs-parameters = Parameters
docs-in-path = in the path
docs-in-query = in the query
docs-in-header = in a header
docs-body = Body
docs-answers = Answers
docs-no-body = no body
docs-schemas = Schemas
docs-one-of = One of
docs-fields = Fields of { $schema }
docs-field = Field
docs-type = Type

## The page that checks bundles

checker-title = Check a bundle
checker-keep = Keep this page
checker-keep-means = as one file: it checks bundles from your disk, without this server.
checker-lead = Drop a bundle here, or choose it: your browser checks it. Nothing is uploaded, and no network is needed.
checker-no-script = This page needs JavaScript: the check runs in your browser. Without it, use `estreat verify BUNDLE.zip --key KEY`.
checker-bundle = Bundle
checker-bundle-hint = The `.zip` that you were sent, as it came.
checker-bundle-none = Choose a bundle first.
checker-keys = Verifier keys
checker-keys-hint = One a line, `name+hash+base64`: each log's, and the server's. From its operator, by another way than the bundle.
checker-key-read = Key of `{ $name }`, fingerprint `{ $fingerprint }`
checker-key-refused = Not read: `{ $text }`: { $flaw }
checker-do = Check the bundle
checker-trust = Whom do I have to trust?
checker-trust-page = *This page.* If you must not trust whoever sent the bundle, do not use the `verify.html` that came in it: it could say anything. Use your own copy, got from somebody else or kept from before. It works from a disk without network.
checker-trust-keys = *The keys.* A key that came with the bundle proves nothing. Get it by another way, and compare its fingerprint, for example over the telephone.
checker-trust-nobody = *Nobody else.* With a true page and a true key, no one can change, add or leave out an entry without this page seeing it. Two independent programs check the same: `estreat verify` and `verify_bundle.py`.
checker-asked = The question that the bundle answers
checker-compare = Compare it with the one that you asked.
checker-steps = Steps
checker-findings = Findings
checker-coverage = Coverage
checker-verdict = Verdict
checker-entries = Entries
checker-footer = Estreat: a verifiable audit log for personal data. All times are UTC. This page makes no request of any kind.
checker-moment = { $day }, { $time } UTC
checker-being-checked = Being checked.
checker-checking = Checking the bundle.
checker-not-checked = NOT CHECKED
checker-not-looked = It could not be looked at: { $why }. This says nothing of what is in the bundle.
checker-count = { $done } of { $total }
checker-step-failed = A step failed: { $step }
checker-log = Log `{ $log }`
checker-more-logs = The other logs' steps are not listed one by one; what they find stands below.
checker-state-waiting = waiting
checker-state-running = checking
checker-state-ok = ok
checker-state-failed = FAILED
checker-state-unknown = no key
checker-state-skipped = not checked
checker-step-manifest = manifest
checker-step-checkpoint = checkpoint
checker-step-proof = proof
checker-step-links = links
checker-step-entries = entries
checker-step-count = count
checker-step-subject = subject
checker-step-coverage = coverage
checker-does-manifest = Whether every file is there as the manifest lists it, and no other
checker-does-checkpoint = Whether the checkpoint is signed by a key that you gave
checker-does-proof = Whether the proof has its form, and is for this question
checker-does-links = Whether the links lead to the checkpoint, none left out
checker-does-entries = Whether every entry is as it was sealed in its batch
checker-does-count = Whether there are as many lines as the proof has
checker-does-subject = Whether exactly the entries that name the subject are shown
checker-does-coverage = How far this reaches, and what is not shown
checker-means-manifest = The bundle's files are not those that it was made of.
checker-means-checkpoint = Who vouches for this history, and for which log, is not shown.
checker-means-proof = The proof cannot be read, or is for something else.
checker-means-links = The history shown is not, or not wholly, the one that was signed.
checker-means-entries = An entry shown is not as it was sealed, or is not there.
checker-means-count = There are entries that nothing proves.
checker-means-subject = Entries that name the subject are left out or changed, or others were added.
checker-means-unknown-key = Nobody whom you named vouches for this history.
checker-subject-exactly = `{ $subject }` (exactly these characters)
checker-subject-unknown = unknown: the manifest cannot be read
checker-logs-more = { $logs } and { $n } more
checker-says-manifest = { $text } (as the manifest says)
checker-sender = The sender's word
checker-note-holds = `manifest.note` is signed by a key of `{ $signer }` that you gave: report, table, purpose and requester are its word.
checker-note-fails = `manifest.note` fails: report, table, purpose and requester are the sender's word alone.
checker-note-not-checked = `manifest.note` was not checked, for no key was given that signs it: report, table, purpose and requester are the sender's word alone.
checker-note-none = There is no `manifest.note`: report, table, purpose and requester are the sender's word alone.
checker-claimed = The bundle itself names these keys, which proves nothing. Compare the fingerprint with one that you got by another way.
checker-claimed-given = (you gave this key)
checker-fingerprint = fingerprint `{ $fingerprint }`
checker-key = key `{ $key }`
checker-finding = { $verdict }: { $what }
checker-findings-more = And { $n } more.
checker-step = Step
checker-where = Where
checker-expected = Expected
checker-found = Found
checker-covered = COVERED
checker-not-covered = NOT COVERED
checker-withheld = WITHHELD
checker-erased = ERASED
checker-covers = `{ $log }`: { $segments ->
    [one] 1 closed segment covers
   *[other] { $segments } closed segments cover
} { $entries ->
    [one] 1 entry
   *[other] { $entries } entries
}, up to { $at }
checker-covers-none = `{ $log }`: no segment is closed
checker-open-to = `{ $log }`: from entry { $first } to { $last }: the active segment, which can still grow
checker-open-on = `{ $log }`: from entry { $first } on: the active segment, which can still grow
checker-at-position = `{ $log }`: position { $position } of link { $link }
checker-more = { $n } more
checker-more-some = { $n } more, of which the first { $shown } stand here
checker-summary = { $verdict }: { $n ->
    [one] 1 finding
   *[other] { $n } findings
}
checker-means-verified = Nothing was changed since it was recorded, and nothing that names this id was left out, as far as the coverage reaches. It does not say that what services sent was true or all that they did, nor that any law was kept.
checker-means-altered = Something is not as it was recorded. The findings say what. Keep the bundle unchanged, and ask for it again.
checker-means-missing = Something that must be there is not. The findings say what. Keep the bundle unchanged, and ask for it again.
checker-means-truncated = The entries end early: perhaps the download was cut. Ask for the bundle again.
checker-means-no-key = All that can be checked without a key fits together, but not whose it is: anybody could have made it. Paste the verifier keys above, obtained by another way than this bundle, and check again.
checker-shown = { $n ->
    [one] 1 entry is shown.
   *[other] { $n } entries are shown.
}
checker-took = Checked in this browser in { $seconds } seconds.
checker-none = No entry names this id in the range.
checker-none-proved = That is proved: in every closed segment the place where it would stand is empty.
checker-time = Time (UTC)
checker-unproved = Not all of this is proved: see the findings.
checker-no-trust = Nothing here is proved without a key that you trust.
checker-first-of = The first { $shown } of { $all }.
checker-opens = An entry's number opens its proof: hash, batch, link and checkpoint.
checker-proof-of = Entry { $entry } of { $log }: its proof
checker-no-entry = no entry
checker-way-entry = Entry, exactly as it was sealed
checker-bytes-withheld = Its bytes are withheld; only its leaf hash is here.
checker-bytes-erased = Its bytes are erased; only its leaf hash is here.
checker-bytes-gone = Its line is not there.
checker-bytes = { $n ->
    [one] 1 byte
   *[other] { $n } bytes
}, of which no other spelling is possible.
checker-bytes-first = The first of them stand here.
checker-local = Event time where you are: { $time }.
checker-hash = Hash
checker-hash-of = SHA-256 of 0x00, the salt, and those bytes.
checker-salt = Salt
checker-salt-none = not given
checker-leaf = Leaf hash
checker-unknown = unknown
checker-batch = Batch: position { $position } of { $n }
checker-batch-of = The leaf at this position, with the others' hashes, gives the batch's root, which stands in its link.
checker-root = Root
checker-link = Link { $n }
checker-checkpoint = Checkpoint
checker-signed = The link's leaf hash, with the others', gives the root over all { $n } links of the log, and that is signed.
checker-signed-by-other = The link's leaf hash, with the others', gives the root over all { $n } links of the log, and that is signed, but not by a key that you gave.
checker-origin = Origin
checker-key-fingerprint = Key's fingerprint
checker-unread = It could not be read.

## Verdicts

verdict-verified = VERIFIED
verdict-altered = ALTERED
verdict-missing = MISSING
verdict-truncated = TRUNCATED
verdict-unknown-key = UNKNOWN KEY

## What the check of a bundle finds: where it lies, what is wrong, what was expected and found

place-zip = the zip
place-link = link { $n }
place-line = line { $n }
place-batch = batch of link { $n }
place-segment = segment { $n }
place-entry = entry { $n }
fact-nothing = nothing
fact-none = none
fact-another = another
fact-another-or-none = another or none
fact-each-file-once = each file once, and alike for every reader
fact-time-or-null = a time of the form `YYYY-MM-DDThh:mm:ss.ffffffZ`, or null
fact-file = a file
fact-note = a signed note
fact-signature = a signature by the given key of its name
fact-signature-of = a signature by the given key of the name `{ $name }`
fact-once = once
fact-log-files = the three files of at least one log
fact-no-folder = no such folder
fact-no-name = no such name
fact-no-file = no such file
fact-checkpoint = origin, size and root
fact-key-of = a key of the name `{ $name }`
fact-proof-form = the form of `proof.json`
fact-link = a link of version 1
fact-sync = link { $n } at { $at }, position { $position }
fact-sync-after = what goes on with or comes after link { $n } at { $at }, position { $position }
fact-close-of = the close link of segment { $n }
fact-close-link = close link { $n }
fact-at-most = at most { $n }
fact-batch-link = a batch's link
fact-kind = kind { $n }
fact-links-of-use = close links, those of the batches shown, and the last
fact-inside = inside segment { $n }
fact-outside = outside
fact-times = { $from } to { $to }
fact-ascending-links = ascending links
fact-entries = entries
fact-line = a line
fact-end = the end
fact-bytes = { $n ->
    [one] at most 1 byte
   *[other] at most { $n } bytes
}
fact-more-bytes = more bytes
fact-proof = a proof
fact-proof-closed = a proof, since a segment is closed
fact-tag-proof = a proof of the subject's marks under the register's key (`index_key`)
fact-ascending-closes = ascending close links
fact-list-or-neighbours = a list of entries, or two neighbours
fact-segments-of-use = closed segments with entries in the range
fact-index-root = what the register's root says
fact-root = the root { $root }
fact-list = entries and times, ascending
fact-own-entries = its own entries and times
fact-listed-entries = entries that a list names in the range
fact-entry = an entry
fact-other-bytes = other bytes
fact-its-id = the subject's id
fact-others = others
flaw-at = at `{ $path }`: { $flaw }
flaw-browser = the browser says: { $detail }
flaw-too-large = it is too large for a browser; check it with `estreat verify`
flaw-zip-past-end = its directory leads past its end
flaw-zip-number = a length of 2^53 or more
flaw-zip64 = its zip64 directory is not there
flaw-zip-parts = it is one of several parts
flaw-no-zip = this is not a zip
flaw-zip-files = { $n ->
    [one] more than 1 file
   *[other] more than { $n } files
}
flaw-zip-damaged = its directory is damaged
flaw-zip = a zip that others may read otherwise
flaw-zip-behind = bytes behind its end
flaw-zip-directory-end = its directory does not end where it should
flaw-zip-directory-length = its directory has another length than it says
flaw-zip-encrypted = an encrypted file
flaw-zip-name-twice = the name `{ $name }` stands twice
flaw-zip-file-elsewhere = `{ $name }` is not where the directory says
flaw-zip-header = the directory says another thing of `{ $name }` than the file's header
flaw-zip-lengths = the lengths behind `{ $name }` are not those of the directory
flaw-zip-gap = bytes between its files
flaw-zip-gap-directory = bytes between its files and its directory
flaw-zip-overlap = its files overlap
flaw-zip-no-file = no file where the zip's directory says
flaw-zip-size = more bytes than the zip says
flaw-too-many-bytes = { $n ->
    [one] more than 1 byte
   *[other] more than { $n } bytes
}
flaw-checksum = it unpacks to another length or checksum than the zip says
flaw-deflate = more bytes than can have been packed into it
flaw-unpack = it cannot be unpacked: { $detail }
flaw-utf8 = not UTF-8
flaw-base64 = not base64
flaw-base64-canonical = not the one spelling of its base64
flaw-length = { $n ->
    [one] 1 byte
   *[other] { $n } bytes
}, not { $size }
flaw-time = not a time of the form `YYYY-MM-DDThh:mm:ss.ffffffZ`
flaw-json = not JSON: { $detail }
flaw-surrogate = a text with half a character (a lone surrogate)
flaw-name-twice = the name `{ $name }` stands twice
flaw-white-space = white space between the values
flaw-whole-number = `{ $number }` is no whole number below 2^53
flaw-not-string = not a text
flaw-not-number = not a number
flaw-not-one-of = not one of: { $words }
flaw-not-list = not a list
flaw-not-object = not an object
flaw-extra-name = it must not have the name `{ $name }`
flaw-lacks-name = it lacks `{ $name }`
flaw-hex = not 64 lower-case hexadecimal digits
flaw-tree-node = not a tree's node: level, index, hash
flaw-key-form = not a verifier key, which has the form `name+hash+base64`
flaw-key-kind = not a verifier key of Ed25519
flaw-key-hash = its hash does not fit its name and key: perhaps it is mistyped
flaw-note-form = not a signed note: text, an empty line, and signature lines
flaw-note-signatures = { $n ->
    [one] more than 1 signature
   *[other] more than { $n } signatures
}
flaw-note-line = a signature line that is not “— name base64”
flaw-note-empty = a signature line without signature
flaw-checkpoint-form = not a checkpoint, which is its origin, its size and its root, a line each
flaw-node-twice = the tree's node `{ $node }` stands twice
flaw-node-gone = the tree's node `{ $node }` is needed and not there
flaw-node-useless = the tree's node `{ $node }` is not needed
flaw-leaf-order = known leaf { $n } does not ascend
flaw-leaf-past = known leaf { $n } lies past the tree's end
flaw-link-length = its length is not that of its kind
flaw-link-version = not a link of version 1 and kind 1 to 4
flaw-past = `{ $name }` is past 2^53
flaw-sync-position = `sync_position` is past `number`
flaw-entry-count = `entry_count` is not 1 to { $most }
flaw-close-blank = it has times or subjects, but no entry
flaw-earliest = its earliest time is after its latest
flaw-list-form = its list is empty, or no list
flaw-list-order = its list does not ascend
flaw-neighbours = neighbours between which the subject's mark does not lie
flaw-point = not a ristretto255 element
flaw-vrf-form = not a proof
flaw-vrf = the proof does not hold
flaw-no-manifest = there is no manifest that can be read
flaw-range-none = a range that is none
flaw-file-unreadable = a file that cannot be read
flaw-no-note = no signed note
flaw-note-other = a note of another manifest
flaw-signature = a signature that does not hold
flaw-log-twice = a log named twice
flaw-log-no-folder = a log without its folder
flaw-no-log = no log
flaw-log-unnamed = a log that the manifest does not name
flaw-log-file-gone = a file of a log is not there
flaw-lists-itself = the manifest lists itself or its note
flaw-listed-gone = a file that the manifest lists is not there
flaw-file-changed = a file changed after the manifest was made
flaw-unlisted = a file that the manifest does not list
flaw-no-checkpoint = no checkpoint
flaw-unknown-key = no key was given that says whose checkpoint this is
flaw-folder = the log lies in another log's folder
flaw-other-server = the checkpoint of another server's log
flaw-no-proof = no proof that can be read
flaw-other-checkpoint = the proof is for another checkpoint than `checkpoint.txt`
flaw-other-origin = the proof is for another origin than the checkpoint's
flaw-other-subject = the proof is for another subject than the manifest's
flaw-other-range = the proof is for another range than the manifest's
flaw-no-link = no link that can be read
flaw-link-number = another link stands in its place
flaw-link-log = the link of another log
flaw-previous = it does not follow the link before it
flaw-sync = it cannot have been written to disk after the link before it
flaw-log-tree = the hashes of the log's tree do not fit together
flaw-log-root = the links do not give the root that was signed
flaw-last-link-gone = the log's last link is not there
flaw-last-segment = the last link is of another segment than the active one
flaw-close-gone = a close link is not there
flaw-segment = it names another segment than the one in which it lies
flaw-first-link = its segment begins with another link (`first_link`)
flaw-first-entry = its segment begins with another entry (`first_entry`)
flaw-index-key = the register has another key than the segment before (`index_key`)
flaw-entry-place = its entries do not go on from those before it
flaw-batch-link-gone = the link of a batch is not there
flaw-kind = a link of another kind
flaw-link-useless = a link that proves nothing asked for
flaw-segment-place = it does not lie in its segment
flaw-link-times = its event times are not those of its segment
flaw-batches-order = the batches do not ascend
flaw-batch-useless = a batch without entries
flaw-batch-tree = the hashes of the batch's tree do not fit together
flaw-batch-root = the entries do not give the root in their batch's link
flaw-lines-order = the lines do not ascend by one
flaw-ends-early = the file ends early
flaw-line-long = a line that is too long
flaw-extra-lines = lines that the proof does not have
flaw-tag-proof-extra = a proof of the subject's marks, though no segment is closed
flaw-tag-proof-gone = the proof of the subject's marks is not there
flaw-tag-proof = the proof of the subject's marks does not hold
flaw-entry-gone = an entry that names the subject is not there
flaw-segments-order = the segments do not ascend
flaw-segment-gone = a segment is not there
flaw-segment-useless = a segment that nobody asked for
flaw-index = the register does not say what is claimed of it
flaw-list = a list that is none
flaw-list-outside = a list that leaves its segment
flaw-entry-extra = an entry that was not asked for
flaw-list-time = the list gives a time outside the batch's
flaw-no-entry = a line that is no entry
flaw-entry-time = the entry has another time than the list gives
flaw-not-named = an entry that does not name the subject

## What a check covers

extent-covered = `{ $log }`: the checkpoint covers { $links ->
    [one] 1 link
   *[other] { $links } links
} with { $entries ->
    [one] 1 entry
   *[other] { $entries } entries
}; closed segments: { $segments }
extent-covered-to = `{ $log }`: the checkpoint covers { $links ->
    [one] 1 link
   *[other] { $links } links
} with { $entries ->
    [one] 1 entry
   *[other] { $entries } entries
}, up to { $at }; closed segments: { $segments }
extent-unsigned = `{ $log }`: { $links ->
    [one] 1 link
   *[other] { $links } links
} from link { $link } on, { $entries ->
    [one] 1 entry
   *[other] { $entries } entries
} from entry { $entry } on; no checkpoint here vouches for them
extent-unsigned-on = `{ $log }`: from link { $link } and entry { $entry } on; no checkpoint here vouches for them
extent-torn-tail = `{ $log }`: { $bytes ->
    [one] 1 byte
   *[other] { $bytes } bytes
} of segment { $segment } from byte { $offset } on, in the place of link { $link }: a torn tail, the sync that was being written when the server stopped, or is being written now; nothing in it was acknowledged
extent-cannot-tell = `{ $log }`: { $bytes ->
    [one] 1 byte
   *[other] { $bytes } bytes
} of segment { $segment } from byte { $offset } on, in the place of link { $link }: without a checkpoint it cannot be told whether this is a torn tail or an alteration
extent-no-index = `{ $log }`: { $entries ->
    [one] 1 entry
   *[other] { $entries } entries
} from entry { $entry } on; segment { $segment } is active and has no sealed subject index yet
extent-not-asked = `{ $log }`: from segment { $segment } on; not asked for
extent-own-word = No key was given: this trusts the folder's own word, that its checkpoints are the server's; form, name and root were checked, signatures were not.
extent-own-keys = No key was given: signatures were checked with the folder's own signing key.
extent-not-opened = No payload was opened: whether keys and payloads open, entries are well formed and subject indexes name them all, only a deep check shows.
extent-no-index-key = Subject indexes were opened, but not made anew from the entries: the index key was not at hand.
extent-unread = segments 0 to { $segment }: this check begins behind them, at the chain head that the catalog has of them, and has not read them
extent-unanchored = The range was checked link by link; that it lies under the checkpoint could not be checked now: check again in a moment, or the whole log.
