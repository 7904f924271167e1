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
layout-footer = Estreat: a verifiable audit log for personal data. All times are UTC.
layout-language = Language
nav-overview = Overview
nav-search = Search
nav-exports = Exports
nav-tokens = Tokens
nav-start = Start
nav-verify = Verify
nav-docs = API

## Signing in

signin-title = Sign in
signin-refused = *This token does not hold.* It may be mistyped, revoked or expired. A token begins with `estreat_` and has 72 characters.
signin-token = Token
signin-token-hint = Paste it whole. It was shown once, when it was made.
signin-none = No token yet? The first start of `estreat serve` prints one for an administrator, who makes the others. On the server itself, `estreat token create` makes one too.

## Errors

error-home = To the overview
error-other-token = Sign in with another token
error-status = Status { $status }
error-title-unauthorized = No valid token
error-title-forbidden = Not allowed
error-title-not-found = Not found
error-title-invalid = A field is not valid
error-title-expired = Expired
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
error-form = Nothing was done. Go back and send it again; a form has at most 64 KiB.
error-internal = This is a fault of the server; its log says more. Nothing acknowledged is lost.
error-advice-unauthorized = Sign in again.
error-advice-forbidden = An administrator can give you a token that may.
error-advice-finding = Nothing was shown, since what is stored is not what was recorded. Leave the data folder as it is, and have the operator run `estreat verify --deep` on it.
error-advice-expired = Its files were deleted when its time was over; its digest stays in the list of exports. Ask for a new export if it is needed again.
error-advice-unavailable = Try again in a moment. If it stays, the overview and the server's log say what the operator can do.

## States of a log

phase-open = takes entries
phase-recovering = is being read after a start; entries are refused until it is done
phase-repairing = gave up a failed write and begins a new segment; it goes on by itself
phase-refused = takes no entries until its operator acts; `estreat verify` says more
