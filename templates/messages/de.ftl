### Was Estreat den Menschen sagt, auf Deutsch. Die Datei daneben hat dieselben Nachrichten.
### Auszeichnung: `Code`, *fett*, [Wörter](/ort). Zahlen schreibt die Sprache.

## Tage und Alter

month-name = { $month ->
    [1] Januar
    [2] Februar
    [3] März
    [4] April
    [5] Mai
    [6] Juni
    [7] Juli
    [8] August
    [9] September
    [10] Oktober
    [11] November
   *[12] Dezember
}
day = { $day }. { month-name } { $year }
month = { month-name } { $year }
ago-future = in der Zukunft: Die Uhr wurde zurückgestellt
ago-seconds = { $n ->
    [one] vor 1 Sekunde
   *[other] vor { $n } Sekunden
}
ago-minutes = { $n ->
    [one] vor 1 Minute
   *[other] vor { $n } Minuten
}
ago-hours = { $n ->
    [one] vor 1 Stunde
   *[other] vor { $n } Stunden
}
ago-days = { $n ->
    [one] vor 1 Tag
   *[other] vor { $n } Tagen
}

## Um jede Seite

layout-skip = Zum Inhalt
layout-main = Haupt
layout-signed-in = Angemeldet
layout-as = als { $role }
layout-role = Rolle { $role }
layout-sign-out = Abmelden
layout-sign-out-everywhere = Überall abmelden
layout-sign-in = Anmelden
layout-footer = Estreat: ein prüfbares Protokoll für personenbezogene Daten. Alle Zeiten sind UTC.
layout-language = Sprache
nav-overview = Übersicht
nav-search = Suche
nav-exports = Exporte
nav-tokens = Token
nav-start = Start
nav-verify = Prüfen
nav-docs = API

## Anmelden

signin-title = Anmelden
signin-refused = *Dieses Token gilt nicht.* Es kann falsch abgeschrieben, widerrufen oder abgelaufen sein. Ein Token beginnt mit `estreat_` und hat 72 Zeichen.
signin-token = Token
signin-token-hint = Fügen Sie es ganz ein. Es wurde einmal gezeigt, als es ausgestellt wurde.
signin-none = Noch kein Token? Der erste Start von `estreat serve` gibt eines für die Verwaltung aus; sie stellt die anderen aus. Auf dem Server selbst tut es auch `estreat token create`.

## Fehler

error-home = Zur Übersicht
error-other-token = Mit einem anderen Token anmelden
error-status = Status { $status }
error-title-unauthorized = Kein gültiges Token
error-title-forbidden = Nicht erlaubt
error-title-not-found = Nicht gefunden
error-title-invalid = Ein Feld ist nicht gültig
error-title-expired = Abgelaufen
error-title-unavailable = Jetzt nicht möglich
error-title-finding = Gelesen wurde nicht, was aufgezeichnet worden war
error-title-internal = Der Server hat versagt
error-no-such-page-title = Diese Seite gibt es nicht
error-no-such-page = Die Adresse kann falsch geschrieben sein, oder was hier stand, ist nicht mehr da.
error-no-such-method-title = So wird diese Seite nicht geöffnet
error-no-such-method = Gehen Sie von der Übersicht aus zu ihr.
error-cross-site-title = Das kam von einer anderen Website
error-cross-site = Nichts wurde getan. Formulare werden nur von den eigenen Seiten dieses Servers angenommen. Steht ein Proxy davor, muss er die Kopfzeilen Host und Origin unverändert weitergeben.
error-form-title = Dieses Formular ist nicht lesbar
error-form = Nichts wurde getan. Gehen Sie zurück und senden Sie es noch einmal; ein Formular hat höchstens 64 KiB.
error-internal = Das ist ein Fehler des Servers; sein Protokoll sagt mehr. Nichts Bestätigtes ist verloren.
error-advice-unauthorized = Melden Sie sich neu an.
error-advice-forbidden = Die Verwaltung kann Ihnen ein Token geben, das es darf.
error-advice-finding = Nichts wurde gezeigt, denn gespeichert ist nicht, was aufgezeichnet worden war. Lassen Sie den Datenordner, wie er ist, und lassen Sie `estreat verify --deep` darauf laufen.
error-advice-expired = Die Dateien wurden gelöscht, als die Zeit um war; der Hashwert bleibt in der Liste der Exporte. Verlangen Sie einen neuen Export, wenn er noch gebraucht wird.
error-advice-unavailable = Versuchen Sie es gleich noch einmal. Bleibt es so, sagen die Übersicht und das Protokoll des Servers, was zu tun ist.

## Zustände eines Logs

phase-open = nimmt Einträge an
phase-recovering = wird nach einem Start gelesen; bis dahin werden Einträge abgelehnt
phase-repairing = hat einen gescheiterten Schreibvorgang aufgegeben und beginnt ein neues Segment; es geht von selbst weiter
phase-refused = nimmt keine Einträge an, bis der Betreiber handelt; `estreat verify` sagt mehr
