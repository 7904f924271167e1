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
error-internal = This is a fault of the server; its log says more. Nothing acknowledged is lost.
error-advice-unauthorized = Sign in again.
error-advice-forbidden = An administrator can give you an account that may.
error-advice-finding = Nothing was shown, since what is stored is not what was recorded. Leave the data folder as it is, and have the operator run `estreat verify --deep` on it.
error-advice-expired = If it is needed again, ask whoever made it for a new one.
error-advice-too-soon = Go back then. Nothing is locked, and nothing else has happened.
error-advice-unavailable = Try again in a moment. If it stays, the overview and the server's log say what the operator can do.

## States of a log

phase-open = takes entries
phase-recovering = is being read after a start; entries are refused until it is done
phase-repairing = gave up a failed write and begins a new segment; it goes on by itself
phase-refused = takes no entries until its operator acts; `estreat verify` says more

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
checkpoints-whole = Verify the log itself, from the disk
check-prefix = The first links of the log give the checkpoint’s root
check-newest = With all links after them they give the root of the newest checkpoint
page-place = Place in the list
log-times-from = Event times from

# Integrity: what findings mean, and what to do.
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
attend-new-readers = { $value } accounts that can read were made in the last 7 days.
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

access-lead = Who read what, why and when. People stand here by role and pseudonym; reading this is itself recorded here.
access-names = Names
access-found = Acts, the newest first
access-none = No act fits on this page. Older ones may: go on, or change the question.
access-when = When
access-by = By
access-person = about one person
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

## The API, and the page that checks bundles

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
checker-title = Check a bundle
checker-keep = Keep this page
checker-keep-means = as one file: it checks bundles from your disk, without this server.
