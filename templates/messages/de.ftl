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
layout-footer = Estreat: ein prüfbares Protokoll für personenbezogene Daten. Zeiten sind UTC, wenn keine andere Zone danebensteht.
layout-language = Sprache
nav-overview = Übersicht
nav-search = Suche
nav-exports = Exporte
nav-integrity = Unversehrtheit
nav-people = Personen
nav-tokens = Token
nav-cases = Offene Fälle
nav-start = Start
nav-verify = Prüfen
nav-docs = API

## Anmelden

signin-title = Anmelden
signin-with-password = Mit einem Passwort
signin-refused-password = *Name und Passwort gehören nicht zusammen.* Eines davon kann falsch geschrieben sein, oder das Konto ist beendet. Die Verwaltung kann ein neues Passwort ausstellen.
signin-name = Name
signin-password = Passwort
signin-with-token = Mit einem Token
signin-refused = *Dieses Token gilt nicht.* Es kann falsch abgeschrieben, widerrufen oder abgelaufen sein. Ein Token beginnt mit `estreat_` und hat 72 Zeichen.
signin-token = Token
signin-token-hint = Fügen Sie es ganz ein. Es wurde einmal gezeigt, als es ausgestellt wurde.
signin-none = Noch keines von beiden? Der erste Start von `estreat serve` gibt ein Token für die Verwaltung aus; sie lässt die anderen ein. Auf dem Server selbst tun es auch `estreat person create` und `estreat token create`.

## Fehler

error-home = Zur Übersicht
error-other-token = Mit einem anderen Token anmelden
error-status = Status { $status }
error-title-unauthorized = Kein gültiges Token
error-title-forbidden = Nicht erlaubt
error-title-not-found = Nicht gefunden
error-title-invalid = Ein Feld ist nicht gültig
error-title-expired = Abgelaufen
error-title-too-large = Die Anfrage ist zu groß
error-title-too-soon = Zu viele falsche Versuche
error-title-refused = Das wurde nicht getan
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
error-form = Nichts wurde getan. Gehen Sie zurück und senden Sie es noch einmal.
error-unreadable = Die Adresse, oder was mit ihr gesendet wurde, ist nicht lesbar. Nichts wurde getan.
error-internal = Das ist ein Fehler des Servers; sein Protokoll sagt mehr. Nichts Bestätigtes ist verloren.
error-advice-unauthorized = Melden Sie sich neu an.
error-advice-forbidden = Die Verwaltung kann Ihnen ein Konto geben, das es darf.
error-advice-finding = Nichts wurde gezeigt, denn gespeichert ist nicht, was aufgezeichnet worden war. Lassen Sie den Datenordner, wie er ist, und lassen Sie `estreat verify --deep` darauf laufen.
error-advice-expired = Wird es noch gebraucht, bitten Sie den, der es erstellt hat, um etwas Neues.
error-advice-too-soon = Gehen Sie dann zurück. Nichts ist gesperrt, und sonst ist nichts geschehen.
error-advice-unavailable = Versuchen Sie es gleich noch einmal. Bleibt es so, sagen die Übersicht und das Protokoll des Servers, was zu tun ist.

## Warum etwas nicht geschah

refusal-unauthorized = das braucht ein gültiges Token: Melden Sie sich an, oder senden Sie `Authorization: Bearer TOKEN`
refusal-not-found = nicht gefunden: { $thing }. Das gibt es nicht, oder dieses Konto darf es nicht sehen
refusal-ended = abgelaufen: { $thing }
refusal-too-soon = es gab zu viele falsche Versuche; warten Sie { $n } s, und versuchen Sie es dann noch einmal
refusal-finding = gespeichert ist nicht, was aufgezeichnet wurde; darum wird es nicht gezeigt
refusal-role = ein Konto der Rolle { $role } darf das nicht; nehmen Sie eines mit einer dieser Rollen: { $roles }
refusal-log = dieses Konto umfasst das Log { $log } nicht
refusal-wider = Ihr Konto umfasst diese Logs: { $logs }; für ein Konto mit anderen braucht es einen Administrator, der sie umfasst
refusal-reserved = Logs, deren Namen mit _ beginnen, gehören dem Server selbst
refusal-busy = die Warteschlange ist voll; senden Sie es gleich noch einmal
refusal-recovering = das Log wird nach einem Neustart wiederhergestellt; senden Sie es gleich noch einmal
refusal-by-log = das Log nimmt keine Einträge an, bis ein Betreiber nachgesehen hat: { $detail }
refusal-by-disk = die Platte nimmt nichts an, und nichts von dieser Anfrage wurde behalten: { $detail }. Senden Sie sie später noch einmal
refusal-no-space = frei ist nur noch der Plattenplatz, der fürs Prüfen zurückgelegt ist; schaffen Sie Platz, und senden Sie es dann noch einmal
refusal-stopping = der Server hält gerade an; senden Sie es nach seinem Neustart noch einmal
refusal-too-many-logs = es gibt so viele Logs, wie der Server haben darf; nennen Sie ein vorhandenes, oder heben Sie die Grenze an
refusal-key-conflict = dieser Idempotency-Key kam schon mit einem anderen Inhalt; nehmen Sie für neue Ereignisse einen neuen
refusal-storage = die eigenen Dateien des Servers lassen sich gerade nicht lesen oder schreiben: { $detail }
refusal-place = die Stelle des Eintrags ist noch nicht bekannt; versuchen Sie es gleich noch einmal
refusal-tree = der Katalog hat den Baum von { $log } noch nicht so weit; versuchen Sie es noch einmal
refusal-case-changed = jemand anderes hat diesen Fall eben geändert; laden Sie ihn neu, und versuchen Sie es noch einmal
refusal-checks-waiting = zu viele Prüfungen warten; verlangen Sie sie noch einmal, wenn einige fertig sind
refusal-disk-full = die Platte ist voll: Schaffen Sie Platz, und verlangen Sie den Export dann noch einmal
refusal-export-unfinished = der Export ist noch nicht fertig; sehen Sie nach, wie weit er ist
refusal-link-unfinished = der Export ist noch nicht fertig; legen Sie den Link an, wenn er es ist
refusal-no-export = kein Log lässt sich exportieren: { $findings }
refusal-sign-in-busy = zu viele melden sich zugleich an; versuchen Sie es noch einmal
refusal-second-person = eine zweite Person entscheidet: weder wer fragt noch wessen Name es ist
refusal-not-allowed-yet = noch hat es niemand erlaubt; das muss eine zweite Person tun
refusal-decided = das wurde schon entschieden, oder der Name wurde schon gezeigt: Fragen Sie neu
refusal-log-name = kein gültiger Name: Der eines Logs hat 1 bis 63 kleine Buchstaben, Ziffern, Punkte, Striche und Unterstriche und beginnt weder mit Punkt noch mit Strich
refusal-role-word = eine Rolle ist eine von writer, auditor, regulator, admin, operator
refusal-name = geben Sie einen Namen von 1 bis { $n } Bytes an, ohne Steuerzeichen
refusal-name-taken = eine Person dieses Namens gibt es schon; wählen Sie einen anderen
refusal-words = höchstens { $n } Bytes, ohne Steuerzeichen
refusal-description = höchstens { $n } Bytes
refusal-purpose = sagen Sie, wofür das gelesen wird; es wird in _access aufbewahrt
refusal-case-number = das Log { $log } wird nur mit einer Vorgangsnummer gelesen
refusal-subject = die Kennung einer betroffenen Person hat 1 bis { $n } Bytes und keine Steuerzeichen
refusal-subject-or-subjects = geben Sie entweder `subject` oder `subjects` an
refusal-subjects = geben Sie 1 bis { $n } Kennungen einer Person an
refusal-time = schreiben Sie einen Zeitpunkt wie in RFC 3339, etwa 2026-05-04T00:00:00Z
refusal-day = schreiben Sie einen Tag als Jahr-Monat-Tag, etwa 2026-05-04
refusal-range = der Zeitraum ist leer: Sein Ende muss nach seinem Anfang liegen
refusal-time-zone = schreiben Sie eine Zone der IANA-Datenbank, etwa Europe/Berlin, oder UTC
refusal-passed = dieser Zeitpunkt ist vorbei
refusal-kept-until = der Export selbst wird bis { $at } aufbewahrt; ein Link kann nicht länger gelten
refusal-link-day = sagen Sie, an welchem Tag der Link endet
refusal-links = ein Export hat höchstens { $n } Links; machen Sie einen neuen Export
refusal-recipient = sagen Sie, für wen der Link ist, in 1 bis { $n } Bytes ohne Steuerzeichen
refusal-logs-none = nennen Sie mindestens ein Log, oder lassen Sie `logs` weg, für alle
refusal-logs-of-case = nennen Sie Logs des Falls, oder keines für alle
refusal-no-logs = es gibt kein Log, aus dem sich exportieren ließe
refusal-cases = { $n } Ihrer Fälle sind offen; schließen Sie zuerst einen
refusal-case-ids = ein Fall hat höchstens { $n } Kennungen
refusal-share-with = jede ist die Kennung eines Kontos, mit 32 Hexadezimalziffern
refusal-audience = wählen Sie eines von beiden
refusal-language = wählen Sie eine davon
refusal-withhold = ein Export hält höchstens { $n } Einträge zurück
refusal-withhold-line = Zeile { $line } hat nicht die Form: `orders/17 gdpr-15-4 auditor 1a2b3c4d`
refusal-withhold-log = ein Eintrag, der zurückgehalten werden soll, liegt in keinem der gefragten Logs
refusal-withhold-nobody = wer entschieden hat, ist leer: Nennen Sie Rolle und Pseudonym, oder lassen Sie es weg, wenn Sie es waren
refusal-withhold-twice = { $place } steht zweimal da; geben Sie ihm einen Grund
refusal-old-password = das ist nicht Ihr Passwort
refusal-again = das ist nicht, was im Feld darüber steht
refusal-password-short = mindestens { $n } Zeichen; alle sind recht, und mehrere Wörter sind gut
refusal-password-long = höchstens { $n } Bytes
refusal-segment-number = schreiben Sie die Nummer eines Segments, etwa 7
refusal-segments-order = der Bereich ist leer: Das letzte Segment darf nicht vor dem ersten liegen
refusal-segments-none = dieses Log hat noch kein abgeschlossenes Segment
refusal-segments = die abgeschlossenen Segmente dieses Logs sind 0 bis { $last }
refusal-page-rows = 1 bis { $n } Zeilen je Seite
refusal-checkpoint = das ist nicht die signierte Notiz eines Checkpoints: { $flaw }
refusal-checkpoint-one = geben Sie die Notiz eines Checkpoints an, oder die Größe eines aufbewahrten
refusal-checkpoint-other = das ist ein Checkpoint von { $other }, nicht von { $log }
refusal-cursor = senden Sie den Cursor der Seite davor, unverändert
refusal-idempotency-key = 1 bis { $n } Bytes
refusal-quarantine = das einzige Wort hier ist quarantine
refusal-act = nennen Sie einen Eintrag von _access
refusal-nobody-behind = hinter dieser Handlung steht kein Konto
refusal-decision = schreiben Sie approve oder refuse
refusal-too-large = eine Sendung hat hier höchstens { $n } Bytes
refusal-cut = die Verbindung brach ab; senden Sie es noch einmal
refusal-too-slow = zehn Sekunden lang kam nichts, oder es dauerte im Ganzen zu lange; senden Sie die Anfrage noch einmal
thing-account = Konto
thing-case = Fall
thing-case-page = Seite dieses Falls
thing-checkpoint = Checkpoint
thing-entry = Eintrag
thing-export = Export
thing-export-file = Datei dieses Exports
thing-export-failed = Datei, denn der Export ist fehlgeschlagen
thing-link = Link
thing-log = Log
thing-outcome = Ergebnis
thing-own-case = eigener Fall
thing-password = Passwort
thing-person = Person
thing-request = Anfrage
thing-segment = abgeschlossenes Segment
thing-token = Token
thing-verification = Prüfung

## Zustände eines Logs

phase-open = nimmt Einträge an
phase-recovering = wird nach einem Start gelesen; bis dahin werden Einträge abgelehnt
phase-repairing = hat einen gescheiterten Schreibvorgang aufgegeben und beginnt ein neues Segment; es geht von selbst weiter
phase-refused = nimmt keine Einträge an, bis der Betreiber handelt; `estreat verify` sagt mehr
status-queued = wartet
status-running = läuft
status-done = fertig
status-failed = fehlgeschlagen
status-open = offen
status-recovering = wird gelesen
status-repairing = wird repariert
status-refused = gesperrt

## Der Bericht

report-title = Bericht über eine betroffene Person
report-lead = Ein getreuer Auszug aus einem Protokoll. Er lässt sich ohne den Absender prüfen; der letzte Abschnitt sagt, wie.
report-asked = Was gefragt wurde
report-subject = Betroffene Person
report-subject-exactly = `{ $subject }` (genau diese Zeichen)
report-range = Zeiten der Ereignisse
report-range-utc = Dasselbe in UTC
report-range-all = von Anfang bis Ende
report-range-from = ab { $from } bis zum Ende
report-range-to = von Anfang bis vor { $to }
report-range-both = ab { $from } bis vor { $to }
report-logs = Logs
report-purpose = Zweck
report-case = Vorgang
report-asked-by = Gefragt von
report-made-at = Erstellt
report-made-for = Bestimmt für
report-for-authority = eine Behörde: jeder Eintrag in genauen Bytes
report-for-person = die Person: Einträge, die jemand anderen nennen, sind in ihren genauen Bytes zurückgehalten
report-verdict = Ergebnis
report-verified = VERIFIED: { $entries ->
    [one] 1 Eintrag nennt genau `{ $subject }`
   *[other] { $entries } Einträge nennen genau `{ $subject }`
}
report-of-them-withheld = davon { $n } zurückgehalten
report-of-them-erased = davon { $n } gelöscht
report-found = ALTERED OR INCOMPLETE: { $findings ->
    [one] 1 Befund
   *[other] { $findings } Befunde
}; lesbare Einträge: { $entries }
report-verified-means = VERIFIED heißt: unverändert, seit es aufgezeichnet wurde, und vollständig, wie es aufgezeichnet wurde. Jeder gezeigte Eintrag wurde in der signierten Geschichte wiedergefunden, und für jeden abgeschlossenen Teil des Logs ist bewiesen, welche Einträge diese Person nennen oder dass es keiner tut. Es heißt nicht, dass wahr ist, was die Dienste gesendet haben, dass sie alles gesendet haben oder dass etwas rechtmäßig war.
report-found-means = Was oben steht, ist nicht, wie es aufgezeichnet wurde, oder war nicht lesbar. Alles andere in diesem Bericht wurde geprüft. Lassen Sie dieses Paket und den Datenordner des Servers unverändert, und lassen Sie den Betreiber `estreat verify --deep` ausführen.
report-others-authority = *{ $n ->
    [one] 1 dieser Einträge nennt noch jemanden
   *[other] { $n } dieser Einträge nennen noch jemanden
}* (eine weitere betroffene Person oder jemanden vom Personal). Behandeln Sie sie auch als personenbezogene Daten dieser Menschen.
report-others-person = *{ $n ->
    [one] 1 dieser Einträge nennt noch jemanden
   *[other] { $n } dieser Einträge nennen noch jemanden
}* (eine weitere betroffene Person oder jemanden vom Personal). In ihren genauen Bytes sind sie zurückgehalten; unten stehen sie maskiert.
report-complete = Was „vollständig“ hier heißt
report-complete-lead = Wer eine Frage nach einer Person beantwortet, könnte etwas weglassen. Darauf lässt sich dieser Bericht prüfen, von jedem, und ohne dem zu trauen, der ihn erstellt hat:
report-complete-register = Jedes Mal, wenn ein Teil des Logs abgeschlossen wird, entsteht ein Register aller darin genannten Personen, jede mit den Nummern aller Einträge, die sie nennen. Das Register enthält keine Namen: Eine Person steht darin unter einem Kennzeichen, das nur der Server bilden, von dem aber jeder prüfen kann, dass es das dieser Person ist.
report-complete-proof = Das Paket zeigt für jeden abgeschlossenen Teil die Stelle im Register, an der diese Person steht, und damit die Liste aller Einträge, die sie nennen. Einen Eintrag, der auf der Liste steht und im Paket fehlt, findet die Prüfung.
report-complete-seal = Register und Einträge sind durch Ketten von Hashwerten an den signierten Stand des Logs (seinen Checkpoint) gebunden. Wer nachträglich etwas ändert, hinzufügt oder entfernt, und sei es ein Buchstabe, kann keine Kette mehr zeigen, die zur Signatur passt.
report-complete-nothing = Dass nichts gefunden wurde, ist auch eine Antwort, und bewiesen: Für jeden abgeschlossenen Teil zeigt das Paket die beiden Nachbarn im sortierten Register, zwischen denen genau diese Kennung stünde, und dass zwischen ihnen nichts steht.
report-limits = Die Grenzen
report-limit-sent = Gefunden wird nur, was Dienste gesendet haben. Was nie gesendet wurde oder ohne die Person zu nennen, steht in keinem Register.
report-limit-id = Die Antwort gilt für genau die gefragte Kennung, Buchstabe für Buchstabe. Eine andere Schreibweise ist eine andere Kennung und braucht eine eigene Frage.
report-limit-index = Dass das Register vollständig war, als es entstand, ist das Wort des Servers. Wer seinen Schlüssel hat, kann es aus den Einträgen neu bilden und vergleichen (`estreat verify --deep`).
report-limit-history = Dass es nur eine Geschichte gibt und nicht eine andere, die jemand anderem gezeigt wird, sieht man, wenn man den Checkpoint mit einem vergleicht, den andere haben.
report-limit-word = Der Zweck, wer gefragt hat, die Worte dieses Berichts, seine Tabellen und seine Liste der Zugriffe sind das Wort dessen, der `manifest.note` signiert hat; der Beweis gilt den Einträgen.
report-coverage = Umfang
report-coverage-table = Was geprüft wurde, nach Log
report-log = Log
report-segments = Abgeschlossene Segmente
report-entries-covered = Erfasste Einträge
report-links-covered = Erfasste Glieder
report-unnamed = Nennen niemanden
report-quarantined = In Quarantäne
report-signed = Checkpoint signiert
report-coverage-means = Erfasst ist alles, was der Server bestätigt hatte, als gefragt wurde. „Nennen niemanden“ zählt Einträge ohne betroffene Person in den Teilen des Logs, die in den Zeitraum reichen; „in Quarantäne“ diejenigen davon, die ein Dienst unlesbar gesendet hat und die aufbewahrt wurden, wie sie kamen. Beide sind über keine Kennung zu finden.
report-left-out = Nicht erfasst, weil nicht lesbar: { $logs }. Was dort gefunden wurde, steht beim Ergebnis.
report-withheld = Aus einem Rechtsgrund zurückgehalten
report-withheld-table = Aus einem Rechtsgrund zurückgehaltene Einträge
report-withheld-means = Diese Einträge nennen die Person und werden nicht gezeigt. Dass es sie gibt, und wo, ist bewiesen; ihr Inhalt wird nicht offengelegt. Wer ihn erfahren darf, kann unter diesen Nummern nach ihnen fragen.
report-withheld-missed = Sollten zurückgehalten werden, sind aber nicht unter den Einträgen dieses Exports: { $places }.
report-ground = Grund
report-decided-by = Entschieden von
report-ground-15-4 = Art. 15 Abs. 4 DSGVO: Eine Kopie beeinträchtigte die Rechte und Freiheiten anderer Personen
report-ground-17-3 = Art. 17 Abs. 3 DSGVO: aufbewahrt zu einem dort genannten Zweck, etwa für einen Rechtsanspruch
report-ground-23 = Art. 23 DSGVO: Das Recht ist durch Unionsrecht oder Recht eines Mitgliedstaats beschränkt
report-summary = Zusammenfassung
report-summary-none = Kein Eintrag nennt diese Person im Zeitraum. Das ist bewiesen: Für jeden abgeschlossenen Teil des Logs zeigt das Paket, dass die Stelle leer ist, an der diese Kennung stünde.
report-summary-without = Unten nicht mitgezählt, weil aus einem Rechtsgrund zurückgehalten: { $n }.
report-chart = Einträge im Lauf der Zeit
report-by-operation = Nach Vorgang
report-by-purpose = Nach Zweck
report-by-role = Nach Rolle der handelnden Person
report-by-month = Nach Monat (UTC)
report-value = Wert
report-count = Einträge
report-not-said = nicht angegeben
report-others = alle anderen zusammen
report-disclosures = Wem die Daten offengelegt wurden
report-disclosures-table = Empfänger, die die Einträge nennen
report-disclosures-none = Kein hier gezeigter Eintrag nennt einen Empfänger.
report-disclosures-more = Einträge, die weitere, hier nicht aufgeführte Empfänger nennen: { $n }. Alle stehen in `entries.csv`.
report-handed-lead = Außerdem wurden Exporte zu dieser Kennung über diesen Server ausgehändigt, durch Links für diese Empfänger, welcher Zeitraum auch gefragt war. Jede Nutzung eines Links steht im Log `_access`, bevor etwas gezeigt wird.
report-handed-table = Empfänger von Links
report-handed-links = Erstellte Links
report-handed-uses = Öffnen und Herunterladen
report-handed-more = Es gibt weitere, hier nicht aufgeführte Empfänger von Links. Alle stehen im Log `_access`.
report-recipient = Empfänger
report-first = Zuerst
report-last = Zuletzt
report-readings = Wer die Daten über diesen Server abgefragt hat
report-readings-table = Zugriffe
report-readings-lead = Jede Suche, jedes Lesen, jeder Export und jedes Herunterladen zu dieser Kennung wird aufgezeichnet, bevor etwas gezeigt wird. Die Liste enthält alle bis zu diesem Bericht, gleich nach welchem Zeitraum gefragt wurde. Beschäftigte stehen mit Rolle und Pseudonym; das Log `_access` hat den Beweis.
report-readings-none = Keiner ist aufgezeichnet.
report-readings-more = Das ist der Anfang der Liste: die ersten { $n }. Die anderen stehen im Log `_access`.
report-readings-unread = Manche Zugriffe lassen sich nicht zeigen, denn gelesen wurde nicht, was aufgezeichnet worden war:
report-time = Zeit
report-what = Was
report-role = Rolle
report-pseudonym = Pseudonym
report-why = Zweck
report-did-search = nach den Einträgen gesucht
report-did-read = einen Eintrag ganz gelesen
report-did-check = einen Eintrag geprüft
report-did-export = einen Export verlangt
report-did-download = einen Export heruntergeladen
report-did-share = einen Link auf einen Export angelegt
report-did-open-link = einen Link auf einen Export geöffnet
report-did-revoke-link = einen Link auf einen Export beendet
report-entries = Einträge
report-entries-table = Einträge, die die Person nennen, Log für Log
report-entries-first = Diese Tabelle zeigt die ersten { $shown } von { $all } Einträgen. Alle stehen in `entries.csv` und in `logs/<log>/entries.ndjson`.
report-place = Eintrag
report-entry = Eintrag
report-operation = Vorgang
report-outcome = Ausgang
report-basis = Rechtsgrundlage
report-actor = Handelnde Person
report-resource = Gegenstand
report-payload = Inhalt
report-hidden-others = zurückgehalten: nennt noch jemanden
report-hidden-ground = aus einem Rechtsgrund zurückgehalten
report-hidden-erased = durch eine aufgezeichnete Entscheidung gelöscht
report-check = Wie Sie das ohne uns prüfen
report-check-lead = Nichts davon braucht diesen Server, seinen Betreiber oder ein Netz. Jeder einzelne Weg genügt; wer dem Absender nicht trauen darf, nimmt Programme, die er von jemand anderem hat.
report-check-keys = Besorgen Sie sich die Prüfschlüssel auf einem anderen Weg als mit dieser Datei, etwa schriftlich vom Betreiber, und vergleichen Sie die Fingerabdrücke am Telefon.
report-check-browser = Im Browser: Öffnen Sie `verify.html` (besser: Ihre eigene Kopie davon), ziehen Sie die Zip-Datei darauf und geben Sie die Schlüssel ein. Nichts wird hochgeladen.
report-check-program = Mit dem Programm: `estreat verify bundle.zip --key KEY`, mit je einem `--key` für jeden Schlüssel unten. Es zeigt jeden Schritt und das Ergebnis.
report-check-script = Mit dem unabhängigen Skript: `python3 verify_bundle.py bundle.zip --key KEY`. Es hat mit dem Programm keinen Code gemeinsam und prüft dasselbe.
report-check-keys-title = Die Schlüssel
report-check-keys-lead = Diese Schlüssel nennt der Server. Vergleichen Sie sie; trauen Sie ihnen nicht, weil sie hier stehen.
report-key = Schlüssel
report-fingerprint = Fingerabdruck
report-check-openssl-title = Die Signaturen, mit openssl allein
report-check-openssl-lead = In einer Shell, neben der Zip-Datei. Setzen Sie die Schlüssel ein, die Sie bekommen haben. Jede Prüfung muss sagen, dass die Signatur stimmt; sie zeigt, wer für das Manifest und für den Stand jedes Logs einsteht.
report-check-openssl-means = Die letzten beiden Zeilen geben Hashwerte aus: Der von `manifest.json` muss die Zeile sein, die darunter steht und signiert ist; jeder andere muss in `manifest.json` neben dem Namen seiner Datei stehen.
report-check-python-title = Jeden Eintrag, mit einer Seite Python
report-check-python-lead = Das zeigt, dass jede Datei die aufgeführte ist und dass jeder gezeigte Eintrag unverändert unter den Checkpoints liegt, die openssl eben geprüft hat. Dass nichts weggelassen wurde, braucht dazu die Kennzeichen des Registers (eine prüfbare Zufallsfunktion, C2SP vrf-r255); das prüfen die drei Wege oben. Speichern Sie es als `check.py`, dann führen Sie `python3 check.py bundle.zip` aus.
report-checkpoint-of = Checkpoint von { $log }
report-page = Seite { $page } von { $pages }

## Formulare

form-nothing-done = Nichts wurde getan.
form-one-field = Ein Feld braucht Sie:
form-optional = (freigestellt)
form-subject = Betroffene Person
form-subject-hint = Die Kennung genau so, wie Dienste sie senden: Großschreibung, Leerzeichen und Akzente zählen.
form-logs = Logs
form-logs-hint = Keines angekreuzt: alle Logs außer denen, die mit einem Unterstrich beginnen.
form-from = Erster Tag
form-from-hint = In UTC, nach der Zeit des Ereignisses.
form-from-zone-hint = Nach den Uhren der Zeitzone, nach der Zeit des Ereignisses.
form-to = Letzter Tag
form-to-hint = Eingeschlossen.
form-purpose = Zweck
form-purpose-hint = Wofür gelesen wird. Er wird im Log _access aufbewahrt.
form-case = Vorgang
form-case-hint = Die Nummer, wo ein Log danach fragt.
form-time-zone = Zeitzone
form-time-zone-hint = Wo die Tage beginnen und enden, etwa Europe/Berlin.
form-language = Sprache des Berichts
form-language-hint = Für report.html und report.pdf.
form-audience = Bestimmt für
form-authority = Eine Behörde
form-authority-hint = jeder Eintrag in genauen Bytes, andere Personen eingeschlossen; es wird gesagt, wie viele Einträge noch jemanden nennen
form-person = Die Person
form-person-hint = Einträge, die jemand anderen nennen, auch Personal, sind beweisbar zurückgehalten und stehen maskiert
form-withhold = Ganze Einträge zurückhalten
form-withhold-hint = Einer je Zeile: Log und Nummer des Eintrags, der Rechtsgrund und wer entschieden hat, mit Rolle und Pseudonym (wird niemand genannt: Sie): `orders/17 gdpr-15-4 officer 7f3a`. Dass es sie gibt, bleibt bewiesen, und der Bericht nennt den Grund.
form-share-with = Teilen mit
form-share-with-hint = Kennungen der Konten von Aufsichtsbehörden, durch Leerzeichen getrennt. Sie können es herunterladen.
form-name = Name
form-role = Rolle

## Einträge

entry-cut = Gezeigt wird der Anfang, von insgesamt { $bytes } Bytes. Öffnen Sie den Eintrag, um alles zu sehen.
entry-hides = Er enthält Zeichen, die niemand sieht. Unter „Zum Lesen“ steht jedes mit seiner Nummer.
entry-to-read = Zum Lesen
entry-exact-bytes = Genaue Bytes

## Aufträge

job-in-work = In Arbeit
job-again = Noch einmal nachsehen
job-goes-on = Es geht weiter, wenn Sie diese Seite verlassen.
job-of = von
job-entries = Einträgen
job-links = Glieder
job-uncounted = noch nicht gezählt
job-queued = wartet, bis es an der Reihe ist
job-rolling = schließt die Segmente ab, die gerade geschrieben werden
job-gathering = liest und prüft Einträge
job-writing = schreibt das Paket
job-verifying = prüft das Paket
job-finished = fertig
job-running = liest und prüft Glieder

## Exporte

exports-new = Neuer Export
exports-new-lead = Alles über eine betroffene Person, gesammelt, geprüft und mit seinen Beweisen verpackt. Er geht weiter, wenn Sie die Seite verlassen.
exports-ask = Exportieren
exports-none = Es gibt noch keinen Export.
exports-none-do = Ein Export sammelt alles über eine betroffene Person in einem Paket, das jeder prüfen kann. Beginnen Sie mit einem, oder mit einer [Suche](/search).
exports-none-shared = Mit diesem Konto ist noch kein Export geteilt.
exports-none-shared-do = Wer prüft, teilt einen Export mit dem Konto einer Aufsichtsbehörde, wenn er ihn verlangt.
exports-list = Exporte, die neuesten zuerst
exports-list-note = Höchstens die neuesten 200. Von wem ein Export handelt, steht nur auf seiner eigenen Seite.
exports-one = Export
exports-status = Stand
exports-kept = Aufbewahrt bis
export-found = *{ $verdict }*, Schritt { $step }, { $n ->
    [one] 1 Befund
   *[other] { $n } Befunde
}: { $means }
export-summary = { $first }, { $second }
export-title = Export { $id }
export-failed = Er ist gescheitert
export-failed-do = Nichts wurde herausgegeben. Verlangen Sie ihn noch einmal; scheitert er wieder, sagt das Protokoll des Servers dem Betreiber mehr.
export-findings = Befunde
export-entries = Einträge
export-withheld = Zurückgehalten
export-on-ground = davon aus einem Rechtsgrund verlangt: { $n }
export-others = Nennen noch jemanden
export-downloads = Dateien
export-downloads-note = Jedes Herunterladen wird im Log _access aufgezeichnet.
export-file = Datei
export-what-it-is = Was sie ist
export-bytes = Bytes
export-verify = Wie man ihn prüft
export-verify-lead = Wer das Paket bekommt, prüft es ohne diesen Server und ohne Netz:
export-verify-keys = Die Schlüssel müssen ihn auf einem anderen Weg erreichen als das Paket. Lesen Sie den Fingerabdruck am Telefon vor:
export-from = ab { $at }
export-to = bis vor { $at }
export-asked = Verlangt
export-finished = Fertig
export-digest = SHA-256 des Pakets
export-file-bundle = alles: der Bericht, die Einträge, die Beweise. Das ist es, was geprüft wird
export-file-html = der Bericht, zum Lesen
export-file-pdf = der Bericht, zum Drucken
export-file-ndjson = jeder Eintrag bis auf den Buchstaben, einer je Zeile
export-file-csv = jeder Eintrag als Zeile, für Tabellenkalkulationen
export-file-masked = Einträge, die noch jemanden nennen, maskiert

## Ein Eintrag

entry-title = Eintrag { $entry } von { $log }
entry-checked = Seine Bytes ergeben ein Blatt seines Stapels, und der Stapel das Glied unten.
entry-covered = Das Glied liegt unter dem Checkpoint von { $links } Gliedern, signiert
entry-uncovered = Noch erfasst ihn kein Checkpoint: Er steht im aktiven Segment.
entry-just-now = Eben von diesem Server geprüft.
entry-erased = *ERASED.* Seine Bytes sind durch eine aufgezeichnete Entscheidung gelöscht; sein Blatt bleibt, damit alles andere bewiesen werden kann.
entry-link = Sein Glied
entry-link-number = Glied
entry-in-segment = { $link }, in Segment { $segment }
entry-committed = Festgeschrieben
entry-leaf = Blatt des Eintrags
entry-link-hash = Hashwert des Glieds
entry-link-bytes = Bytes des Glieds
entry-proof = Sein Beweis
entry-proof-note = Wie in proof.json eines Pakets; ein Export prüft sich ohne diesen Server.
entry-say = Sagen Sie, wofür er gelesen wird; dann wird er gezeigt.
entry-show = Eintrag zeigen

## Prüfungen

verification-title = Prüfung { $id }
verification-of = Prüfung von { $log }
verification-goes-on = Sie läuft weiter, wenn Sie diese Seite verlassen, auch nach einem Neustart des Servers.
verification-failed = Sie war nicht möglich
verification-failed-do = Das sagt nichts über das Log. Verlangen Sie sie auf [seiner Seite](/logs/{ $log }) noch einmal.
verification-sound = Jedes gelesene Glied, jeder Hashwert und jeder Baum passt zu dem, was signiert wurde.
verification-read = Was gelesen wurde
verification-where = Wo
verification-verdict = Ergebnis
verification-expected = Erwartet
verification-found = Gefunden
verification-step = Schritt
verification-altered = Bytes weichen von dem ab, was aufgezeichnet und signiert wurde. Das tut eine sterbende Festplatte, ein Programm, das in den Ordner geschrieben hat, oder ein Mensch. Lassen Sie den Ordner, wie er ist, kopieren Sie ihn anderswohin, vergleichen Sie mit einer Sicherung, und finden Sie heraus, wer dort schreiben konnte.
verification-missing = Etwas Aufgezeichnetes ist nicht mehr da. Suchen Sie die Datei in einer Sicherung, bevor irgendetwas anderes geschieht; hat ein Mensch sie entfernt, finden Sie heraus, wer und warum.
verification-truncated = Das Log endet früher als das, was bestätigt oder signiert wurde. Vielleicht steht eine ältere Kopie des Ordners an seiner Stelle, oder sein Ende wurde abgeschnitten. Vergleichen Sie mit Sicherungen und mit Checkpoints, die andere haben.
verification-unknown-key = Alles passt zusammen, ist aber mit einem anderen Schlüssel signiert als dem dieses Servers. Der Ordner kann von einem anderen Server stammen.
verification-summary = { $verdict }: { $links ->
    [one] 1 Glied
   *[other] { $links } Glieder
}, { $entries ->
    [one] 1 Eintrag
   *[other] { $entries } Einträge
} unter dem Checkpoint
verification-segments = Segmentdateien
verification-opened = Geöffnete Einträge
verification-covered = Einträge unter einem Checkpoint
verification-what = Was

## Prüfung eines Eintrags

check-title = Prüfung von Eintrag { $entry } von { $log }
check-do = Jetzt prüfen
check-note = Neu von der Platte, Schritt für Schritt.
check-again = Noch einmal prüfen
check-holds = Jeder Schritt stimmt, von den Bytes auf der Platte bis zum signierten Checkpoint.
check-open = Was sich prüfen lässt, stimmt. Noch erfasst kein Checkpoint den Eintrag: Sein Segment ist nicht geschlossen.
check-fails = Ein Schritt stimmt nicht: Der Eintrag ist nicht, was aufgezeichnet wurde. Lassen Sie den Datenordner, wie er ist, und prüfen Sie das Log.
check-steps = Die Schritte, von den Bytes bis zum Checkpoint
check-step = Schritt
check-found = Gefunden
check-expected = erwartet
check-bytes = Die Bytes auf der Platte öffnen sich mit dem Schlüssel des Segments
check-leaf = Salz und Bytes des Eintrags ergeben sein Blatt
check-batch = Die Blätter des Stapels ergeben die Wurzel in seinem Glied
check-link = Die Bytes des Glieds ergeben ein Blatt des Logs
check-checkpoint = Dieses Blatt liegt unter der Wurzel des Checkpoints
check-signature = Der Checkpoint ist mit dem Schlüssel dieses Servers signiert
check-step-holds = stimmt
check-step-fails = stimmt nicht
check-step-open = noch nichts zum Vergleichen
check-step-not-reached = nicht erreicht
check-no-signature = keine Signatur mit diesem Schlüssel gilt
check-unknown-key = dieser Schlüssel hat nicht signiert
check-links = das Log hat { $n ->
    [one] 1 Glied
   *[other] { $n } Glieder
 }
check-place = Segment { $segment }, Glied { $link }
check-value = `{ $value }`

## Suche

search-title = Suche nach betroffener Person
search-lead = Was Sie fragen, wird ein Fall: die Kennungen einer Person, versiegelt aufbewahrt, mit einer Seite, zu der Sie zurückkommen können.
search-subjects = Kennungen einer Person
search-subjects-hint = Eine je Zeile, genau so, wie Dienste sie senden: Großschreibung, Leerzeichen und Akzente zählen.
search-ids = Kennungen
search-made = Angelegt
search-cases = Ihre Fälle
search-cases-none = Keiner ist offen. Eine Suche legt einen an.
search-cases-note = Diese Liste sehen nur Sie. Öffnen kann einen Fall, wer seine Logs lesen darf und seine Adresse hat.
case-title = Fall { $id }
case-alike = Eine ähnliche Kennung gibt es: `{ $subject }`. Für diesen Server ist sie eine andere; ist es dieselbe Person, fügen Sie sie hinzu.
case-alike-add = Diesem Fall hinzufügen
case-add = Kennung hinzufügen
case-add-do = Hinzufügen
case-total = { $n ->
    [0] Kein Eintrag nennt diese Person
    [one] 1 Eintrag nennt diese Person
   *[other] { $n } Einträge nennen diese Person
}
case-counted = Gezählt in den Verzeichnissen; ein Eintrag, der mehrere der Kennungen nennt, zählt einmal. Kennungen werden genau verglichen.
case-narrowed = In den unten gewählten Tagen und Logs; Filter nach Feldern gelten nicht für diese Zahl und die Grafik.
case-day = Einträge nach Tagen, in UTC
case-month = Einträge nach Monaten, in UTC
case-year = Einträge nach Jahren, in UTC
case-plot = Einträge von { $first } bis { $last }; höchstens { $most } zusammen. Die Tabelle darunter hat die Zahlen.
case-most = Höchststand: { $most }
case-table = Die Zahlen als Tabelle
case-filter = Nur einige zeigen
case-filter-do = Diese zeigen
case-filter-clear = Wieder alle zeigen
case-times = Zeit in UTC und in Ihrer Zone
case-pages = Seiten der Einträge
case-first = Erste Seite
case-export-lead = Ein Paket für jede Kennung, über die oben gewählten Tage und Logs, für den Zweck dieses Falls.
case-export-do = Jede Kennung exportieren
case-export-more = Eine Kennung mit mehr Auswahl exportieren
case-export-gone = Seine Dateien sind abgelaufen.
case-close = Diesen Fall schließen
case-close-lead = Er wird vergessen, mit seinem Schlüssel. Einträge, Exporte und das Log _access bleiben.
case-close-do = Schließen

# Offene Fälle, für Administratoren
cases-lead = Suchen, die Prüfende offen halten. Worum es in einem Fall geht, liegt versiegelt und wird hier nicht gezeigt: nur seine Nummer, wann er angelegt wurde und das Pseudonym dessen, der ihn angelegt hat. Wer einen angelegt hat, schließt ihn; ist dieses Konto beendet, schließen Sie ihn hier.
cases-none = Kein Fall ist offen.
cases-number = Nummer
cases-maker = Angelegt von
cases-left = Konto beendet
cases-end = Schließen
cases-end-means = Der Fall wird mit seinem Schlüssel für alle vergessen; Einträge und Exporte bleiben. Dass Sie es getan haben, steht im Log _access.
cases-end-one = Fall { $id } schließen
search-edge = Die gefragte Kennung beginnt oder endet mit Leerraum. War das nicht gemeint, suchen Sie noch einmal ohne ihn.
search-no-more = Keine weiteren Einträge.
search-none-filtered = Kein Eintrag nennt diese Person und passt zu den Filtern.
search-none = Kein Eintrag nennt diese Person.
search-none-look = Sehen Sie die Kennung noch einmal an: Jedes Zeichen zählt, auch Großschreibung und Akzente, und nichts wird nach seinem Anfang gefunden.
search-none-filters = Versuchen Sie es ohne Filter.
search-none-export = Ist sie richtig, ist auch das eine Antwort: Exportieren Sie sie, und das Paket beweist, dass nichts diese Kennung nennt.
search-page = Seite { $page }: { $n ->
    [one] 1 Eintrag, nach der Zeit des Ereignisses.
   *[other] { $n } Einträge, nach der Zeit der Ereignisse.
}
search-caption = Gefundene Einträge, die frühesten zuerst
search-time = Zeit (UTC)
search-letter = Eintrag { $entry } von { $log } bis auf den Buchstaben
search-others = { $n ->
    [one] nennt 1 weitere Person
   *[other] nennt { $n } weitere Personen
}
search-proof = Sein Glied und Beweis
search-before = Seite davor
search-next = Nächste Seite
search-export-note = Ein Export enthält alles über die Person in diesen Tagen und Logs; die Filter nach Vorgang, Zweck, handelnder Person und Ausgang sind nur zum Ansehen.
search-unshown = Nicht alles lässt sich zeigen
search-unshown-do = Diese Einträge nennen die Person, aber gelesen wurde nicht, was aufgezeichnet worden war. Lassen Sie den Datenordner, wie er ist, und prüfen Sie das Log.
search-complete = Wie vollständig das ist
search-at = Gesucht
search-complete-to = Vollständig bis einschließlich:
search-complete-empty = nichts von *{ $log }*, das leer ist
search-complete-entry = Eintrag { $entry } von *{ $log }*
search-complete-none = nichts, denn es gibt kein Log zu durchsuchen
search-only-sent = Gefunden wird nur, was Dienste gesendet haben; ein Eintrag, der niemanden nennt, ist über keine Kennung zu finden.
search-only = Nur Einträge mit
search-only-hint = Jedes vergleicht ganze Werte, genau.
search-operation-hint = Etwa read.
search-purpose = Zweck des Eintrags
search-purpose-hint = Wie der Dienst ihn gesendet hat.
search-actor-hint = Wer gehandelt hat.
search-outcome-hint = Wie es ausging.
search-any = beliebig
search-do = Suchen

## Übersicht

overview-works = Alles funktioniert.
overview-trouble = Das braucht einen Menschen
overview-first = Senden Sie das erste Ereignis
overview-first-lead = Noch hat kein Dienst etwas gesendet. Mit einem Token der Rolle writer:
overview-first-log = Das Log `app` entsteht beim ersten Gebrauch.
overview-first-token = [Stellen Sie ein Token der Rolle writer aus](/tokens), und eines der Rolle auditor zum Suchen und Exportieren.
overview-first-ask = Token stellt die Verwaltung aus.
overview-calls = Alle Aufrufe
overview-caption = Die Logs und ihre Zustände
overview-verified = Geprüft
overview-segments = Segmente
overview-bytes = Bytes auf der Platte
overview-not-yet = noch nicht
overview-closed = { $n } abgeschlossen
overview-active = Segment { $segment } ist aktiv
overview-in-closed = in abgeschlossenen Segmenten
overview-new = Neues Log
overview-new-note = Ein Log entsteht auch durch sein erstes Ereignis. Legen Sie es hier an, um zu bestimmen, was das Lesen verlangt.
overview-name = Name
overview-name-hint = Kleine Buchstaben, Ziffern, Punkt, Strich, Unterstrich.
overview-make = Log anlegen

## Ein Log

log-state = Zustand
log-links = Glieder
log-commit = Zuletzt festgeschrieben
log-checkpoint = Checkpoint
log-none-yet = noch keiner
log-description = Beschreibung
log-description-hint = Wofür es da ist; Prüfende sehen es.
log-asks-case = Das Lesen verlangt eine Vorgangsnummer
log-head = Kopf der Kette
log-closed = { $n }, { $bytes } Bytes
log-active = Aktives Segment
log-active-none = keines: Der nächste Eintrag beginnt eines
log-reading = Es zu lesen
log-reading-case = verlangt einen Zweck und eine Vorgangsnummer
log-reading-purpose = verlangt einen Zweck
log-verification = Prüfung
log-verified = Die letzte war fertig
log-verified-more = Was sie gelesen und gefunden hat
log-verified-none = Noch keine.
log-incremental = Nur was seit der letzten kam, die nichts fand
log-deep = Auch jeden Inhalt öffnen und die Register neu bilden: langsamer, und sieht alles
log-verify = Dieses Log prüfen
log-signs = Er signiert die ersten { $links } Glieder; erstellt
log-checkpoint-file = Diese Notiz herunterladen
log-checkpoint-none = Noch keiner. Der erste wird signiert, wenn ein Segment abgeschlossen wird: nach einem Tag, wenn es voll ist, oder für einen Export.
log-key = Schlüssel
log-key-lead = Er prüft die Checkpoints dieses Logs. Geben Sie ihn jedem, der prüft, und den Fingerabdruck auf einem anderen Weg, etwa am Telefon.
log-key-none = Noch keiner; er entsteht mit dem ersten Segment des Logs.
log-no-more = Keine weiteren.
log-segments-none = Noch keine. Was gesendet wurde, steht im aktiven Segment; es lässt sich schon durchsuchen.
log-segment = Segment
log-first-entry = Erster Eintrag
log-subjects = Betroffene Personen
log-times = Zeiten der Ereignisse
log-closed-at = Abgeschlossen
log-first-page = Erste Segmente
log-next-page = Nächste Segmente
log-settings = Einstellungen
log-keep = Einstellungen behalten

# Checkpoints
checkpoints-title = Checkpoints von { $log }
checkpoints-all = Alle Checkpoints, und einen vergleichen
checkpoints-lead = Ein Checkpoint sagt, wie viele Glieder das Log hatte und welche Wurzel über ihnen steht, und ist signiert. Einer, den jemand anderes hat, zeigt jederzeit später, ob das Log seither verändert wurde.
checkpoints-keeps = Aufbewahrt werden der neueste; der letzte jeder Stunde, für die letzten { $hours } Stunden, in denen das Log wuchs; der letzte jedes Tages (UTC), für { $days } solche Tage; und für immer jeder, gegen den ein Export bewiesen ist. Andere, die herausgegeben wurden, lassen sich mit ihrer Notiz vergleichen.
checkpoints-kept = Aufbewahrte Checkpoints
checkpoints-from = Signiert ab
checkpoints-none = Keine in dieser Zeit.
checkpoints-signed-at = Signiert
checkpoints-root = Wurzel
checkpoints-signature = Signatur
checkpoints-by-key = mit dem Schlüssel dieses Logs
checkpoints-not-by-key = nicht mit dem Schlüssel dieses Logs
checkpoints-why = Aufbewahrt als
checkpoints-newest = der neueste
checkpoints-hour = der letzte einer Stunde
checkpoints-day = der letzte eines Tages
checkpoints-export = der eines Exports
checkpoints-note = Signierte Notiz
checkpoints-show = Zeigen
checkpoints-download = Herunterladen
checkpoints-check = Mit dem jetzigen Log vergleichen
checkpoints-own = Einen vergleichen, den Sie haben
checkpoints-own-hint = Alle Zeilen, auch die, die mit einem Strich beginnt: aus der checkpoint.txt eines Pakets, oder wie man sie Ihnen geschickt hat.
checkpoints-compared = Checkpoint über { $links } Glieder, verglichen
checkpoints-holds = Er ist noch Teil dieses Logs. Die ersten { $links } Glieder ergeben seine Wurzel, und dieselben Glieder liegen unter dem neuesten Checkpoint über { $newest } Glieder.
checkpoints-truncated = Dieses Log hat { $links } Glieder signiert und hat jetzt { $newest }. Sein Ende wurde abgeschnitten, oder eine ältere Kopie steht an seiner Stelle. Lassen Sie den Ordner, wie er ist, und suchen Sie eine neuere Kopie.
checkpoints-altered = Er ist nicht Teil dieses Logs. Entweder ist seine Signatur nicht die dieses Logs, oder das Log ist ein anderes, als es war. Bewahren Sie den Ordner und diese Notiz als Beweis auf, und prüfen Sie das ganze Log.
checkpoints-unknown-key = Der Schlüssel dieses Logs hat ihn nicht signiert, daher steht niemand dafür ein, was er über dieses Log sagt. Fragen Sie, wer ihn Ihnen gab, nach dem Schlüssel, und vergleichen Sie dessen Fingerabdruck mit dem unten. Hat ihn dieses Log signiert, so wurde sein Schlüssel ausgetauscht: Bewahren Sie den Ordner und diese Notiz als Beweis auf.
checkpoints-whole = Das Log selbst prüfen, von der Platte
check-prefix = Die ersten Glieder des Logs ergeben die Wurzel des Checkpoints
check-newest = Mit allen Gliedern danach ergeben sie die Wurzel des neuesten Checkpoints
page-place = Stelle in der Liste
log-times-from = Zeiten der Ereignisse ab

# Unversehrtheit: was Befunde bedeuten und was zu tun ist.
kind-checkpoint-gone = Das Log hat keinen Checkpoint
kind-checkpoint-unreadable = Der Checkpoint ist nicht lesbar
kind-signature = Die Signatur des Checkpoints stimmt nicht
kind-other-log = Der Checkpoint gehört zu einem anderen Log
kind-unknown-key = Kein Schlüssel sagt, wessen Checkpoint das ist
kind-stray = Eine Datei, die nicht hierher gehört
kind-segment-gone = Ein Segment fehlt
kind-misplaced = Eine Datei am Ort einer anderen
kind-header = Der Anfang eines Segments ist nicht, was geschrieben wurde
kind-key = Der Schlüssel eines Segments öffnet nicht
kind-frame = Unlesbare Bytes
kind-ends = Ein Segment endet nicht, wo es abgeschlossen wurde
kind-truncated = Das Log endet vor seinem Checkpoint
kind-root = Die Glieder sind nicht die, die signiert wurden
kind-chain = Ein Glied folgt nicht auf das vorige
kind-payload = Einträge sind nicht, was aufgezeichnet wurde
kind-index = Ein Register der Personen passt nicht zu seinen Einträgen
means-checkpoint-gone = Das Log hat keinen Checkpoint. Entweder hat ihn jemand entfernt, oder der Server wurde angehalten, bevor er einen signieren konnte. Ohne ihn sagt nichts, wie lang das Log ist.
advice-checkpoint-gone = Sehen Sie nach, ob der Server jetzt signiert (die Seite des Logs zeigt den Checkpoint). Liegt anderswo ein älterer, bei einer Behörde oder in einem Paket, vergleichen Sie: Das Log muss dessen Wurzel ergeben.
means-checkpoint-unreadable = Was anstelle des Checkpoints steht, ist keine signierte Notiz. Eine Datei wurde überschrieben, oder der Datenträger hat sie beschädigt.
advice-checkpoint-unreadable = Bewahren Sie die Datei auf, ändern Sie sie nicht. Vergleichen Sie `state.db` mit einer Sicherung: Dort steht dieselbe Notiz. Prüfen Sie dann erneut.
means-signature = Der Checkpoint ist nicht mit dem Schlüssel dieses Logs signiert: Ihn schrieb jemand, der den Schlüssel nicht hat, oder der Schlüssel wurde ausgetauscht.
advice-signature = Vergleichen Sie den Fingerabdruck des Schlüssels mit dem ausgegebenen. Stimmt er, halten Sie den Checkpoint für gefälscht: Lassen Sie alles, wie es ist, und klären Sie, wer in den Ordner schreiben konnte.
means-other-log = Der Checkpoint gehört zu einem anderen Log: Dateien wurden verwechselt oder absichtlich vertauscht.
advice-other-log = Legen Sie den Ordner dieses Logs aus einer Sicherung neben den jetzigen, und vergleichen Sie beide, bevor Sie etwas ändern.
means-unknown-key = Niemand hat gesagt, wessen Checkpoint das ist. Das Geprüfte passt zusammen, aber unter keinem Namen.
advice-unknown-key = Besorgen Sie den Schlüssel des Logs auf einem Weg, der nicht über diesen Server führt, und prüfen Sie damit.
means-stray = Zwischen den Segmenten liegt eine Datei, die der Server nicht geschrieben hat. Meist hat jemand etwas dorthin kopiert.
advice-stray = Klären Sie, woher sie kommt, und verschieben Sie sie dann. Am Aufgezeichneten ändert sie nichts.
means-segment-gone = Eine ganze Segmentdatei fehlt. Ihre Einträge sind nicht lesbar, und nichts dahinter lässt sich an das davor anschließen.
advice-segment-gone = Spielen Sie die Datei aus einer Sicherung zurück: Ist es die richtige, passt sie Glied für Glied. Antworten Sie bis dahin nicht, es sei nichts aufgezeichnet worden.
means-misplaced = Eine Segmentdatei gibt sich als eine andere aus. Dateien wurden umbenannt oder übereinander kopiert.
advice-misplaced = Suchen Sie die richtige Datei in einer Sicherung. Bewahren Sie die jetzige auf: Sie kann die einzige Kopie eines anderen Segments sein.
means-header = Der Anfang einer Segmentdatei ist nicht, was geschrieben wurde. Ohne ihn schließt das Segment nicht an das vorige an.
advice-header = Spielen Sie das Segment aus einer Sicherung zurück, und prüfen Sie erneut. Wurde es absichtlich verändert, sagen die Zeiten der Datei und die Protokolle des Rechners vielleicht, wann.
means-key = Der Schlüssel zu diesem Segment ist nicht der seine oder lässt sich mit dem Hauptschlüssel (KEK) nicht öffnen. Die Einträge sind nicht lesbar.
advice-key = Sehen Sie nach, ob der richtige Hauptschlüssel gilt, und spielen Sie die Schlüsseldatei aus einer Sicherung zurück.
means-frame = Bytes, die kein ganzer Rahmen sind: Der Datenträger hat sie beschädigt, oder sie wurden überschrieben. Die Einträge an dieser Stelle sind unlesbar oder verändert.
advice-frame = Spielen Sie das Segment aus einer Sicherung zurück, und prüfen Sie erneut. Ist das unversehrt, sehen Sie nach dem Datenträger. Ohne Sicherung sind die Einträge dieses Glieds verloren; die anderen bestehen weiter.
means-ends = Ein Segment endet nicht dort, wo es geschlossen wurde: Es wurde gekürzt, oder hinter seinem Ende kam etwas hinzu.
advice-ends = Spielen Sie das Segment aus einer Sicherung zurück, und prüfen Sie erneut. Was hinter dem Schlussglied steht, wurde nie bestätigt.
means-truncated = Das Log endet vor seinem Checkpoint. Bestätigte Einträge fehlen: Das Ende wurde abgeschnitten, oder eine alte Kopie trat an seine Stelle.
advice-truncated = Nehmen Sie keine Einträge mehr an, bis klar ist, was fehlt. Suchen Sie eine neuere Kopie des Ordners; die richtige reicht bis zu den Gliedern des Checkpoints.
means-root = Glied für Glied folgt alles aufeinander, zusammen ist es aber nicht, was signiert wurde. Jemand hat die Geschichte neu geschrieben, oder eine alte Kopie trat an ihre Stelle.
advice-root = Das geschieht nicht zufällig. Bewahren Sie den Ordner als Beweis auf, und vergleichen Sie ihn mit einer Sicherung und mit Checkpoints, die andere haben.
means-chain = Ein Glied folgt nicht auf das vorige. An dieser Stelle wurde etwas verändert, entfernt, wiederholt oder umgestellt.
advice-chain = Spielen Sie das Segment aus einer Sicherung zurück, und prüfen Sie erneut. Ist die Sicherung unversehrt, bewahren Sie die veränderte Datei als Beweis auf.
means-payload = Was in diesem Glied versiegelt ist, ist nicht, was das Glied angibt. Die Einträge sind nicht die aufgezeichneten, oder der Schlüssel ist nicht der ihre.
advice-payload = Spielen Sie das Segment aus einer Sicherung zurück, und prüfen Sie erneut, gründlich. Verlassen Sie sich nicht auf die Einträge dieses Glieds.
means-index = Das Verzeichnis des Segments, wer wo genannt ist, passt nicht zu seinen Einträgen. Ein Export könnte etwas auslassen oder etwas nennen, das es nicht gibt.
advice-index = Spielen Sie das Segment aus einer Sicherung zurück, und prüfen Sie erneut, gründlich. Eine Suche hilft hier nicht: Lesen Sie die Einträge des Segments.

integrity-title = Unversehrtheit
integrity-lead = Ob die Logs sind, was aufgezeichnet wurde: jedes Glied, jeder Hash und jeder Checkpoint, vom Datenträger neu geprüft.
integrity-all = Alle Logs prüfen
integrity-all-note = Prüfungen warten in einer Reihe und laufen einzeln, auf höchstens der Hälfte der Prozessorkerne. Schneidet ein Neustart eine ab, geht sie dort weiter, wo sie war.
integrity-waiting = { $n ->
    [one] { $n } Prüfung wartet oder läuft.
   *[other] { $n } Prüfungen warten oder laufen.
 }
integrity-idle = Keine Prüfung wartet.
integrity-schedule = Der Zeitplan prüft das Neue jedes Logs alle { $n ->
    [one] { $n } Stunde
   *[other] { $n } Stunden
 }.
integrity-schedule-off = Der Zeitplan ist aus (`verify_hours = 0`): Geprüft wird nur, wenn es jemand verlangt.
integrity-history = Bisherige Prüfungen
integrity-none = Noch keine Prüfung. Oben lässt sich eine starten.
integrity-by-schedule = vom Zeitplan
integrity-asked-by = verlangt
integrity-kind-whole = ganz
integrity-kind-new = das Neue
integrity-kind-deep = gründlich
integrity-kind-range = Segmente { $first } bis { $last }
integrity-kind-end = Ende
integrity-what = Was
integrity-only-found = Nur Prüfungen mit Befund
integrity-filter = Zeigen
integrity-verdict = Letzte Prüfung
integrity-not-yet = noch nicht geprüft
integrity-elsewhere = hier nichts gefunden
integrity-elsewhere-note = Diese Prüfung hat anderswo im Log etwas gefunden.
integrity-first-segment = Ab Segment
integrity-last-segment = Bis Segment
integrity-range-hint = Geschlossene Segmente, beide eingeschlossen. Leer: alle.
integrity-means = Was es bedeuten kann
integrity-do = Was zu tun ist
integrity-exactly = Genau, in den englischen Worten des Prüfprogramms
integrity-resumed = Der Server wurde während dieser Prüfung neu gestartet; sie ging bei Segment { $segment } weiter.
integrity-more-findings = { $n ->
    [one] Ein weiterer Befund ist nicht aufgeführt.
   *[other] { $n } weitere Befunde sind nicht aufgeführt.
 }
integrity-segment = Segment { $segment } von { $log }
integrity-links = Glieder
integrity-links-lead = Die Glieder, wie sie in der Segmentdatei stehen. Nichts darin wurde geöffnet.
integrity-hash = Blatt-Hash
integrity-kind-of-link = Art
integrity-batch = Stapel
integrity-close = Schlussglied, mit dem versiegelten Personenverzeichnis
integrity-offset = Byte
integrity-this = Dieses Segment prüfen
integrity-link = Glied
page-first = Erste Seite
page-next = Nächste Seite

# Was jemanden braucht und was zu tun ist.
attend-disk-reserve = Nur die Reserve des Datenträgers ist noch frei: Einträge werden abgewiesen.
attend-disk-spent = Der Datenträger ist voll: Einträge und protokolliertes Lesen werden abgewiesen.
attend-no-space = { $value } Anfragen wurden abgewiesen, weil kein Platz war.
remedy-disk = Schaffen Sie Platz, oder legen Sie den Datenordner auf einen größeren Datenträger. Nichts Bestätigtes ist verloren.
attend-failed-writes = Das Schreiben auf den Datenträger ist misslungen: { $value }
remedy-failed-writes = Sehen Sie nach dem Datenträger und dem Systemprotokoll. Prüfen Sie dann die Logs: Was bestätigt wurde, muss da sein.
attend-clock-back = Die Uhr des Rechners stand { $value } Sekunden hinter dem schon Aufgezeichneten.
remedy-clock-back = Stellen Sie die Uhr, und lassen Sie sie von NTP führen. Die Reihenfolge der Einträge stimmt; Zeiten dazwischen können falsch sein.
attend-recovering = Log { $log } wird nach einem Start gelesen.
remedy-recovering = Warten Sie einen Augenblick.
attend-repairing = Log { $log } wird nach misslungenem Schreiben wiederhergestellt: { $value }
remedy-repairing = Es öffnet sich von selbst, sobald sich schreiben lässt. Wenn nicht, sehen Sie nach dem Datenträger.
attend-log-refused = Log { $log } nimmt keine Einträge an: { $value }
remedy-log-refused = Prüfen Sie es, und lesen Sie den Befund, bevor etwas geändert wird.
attend-finding = Die letzte Prüfung von Log { $log } hat etwas gefunden: { $value }
remedy-finding = Lesen Sie, was gefunden wurde, was es bedeuten kann und was zu tun ist.
attend-missed = Die Prüfung von Log { $log } nach Zeitplan ist seit { $value } fällig.
remedy-missed = Der Server war vielleicht aus, oder Prüfungen dauern länger als die Zeit dazwischen. Starten Sie eine von Hand.
attend-queue-full = { $value } Anfragen wurden abgewiesen, weil die Warteschlange voll war.
remedy-queue-full = Dienste senden schneller, als der Datenträger schreibt. Wer mit seinem Idempotency-Key noch einmal sendet, verliert nichts. Senden Sie mehr Ereignisse je Anfrage, oder erhöhen Sie `queue_bytes`.
attend-unreadable = { $value } Anfragen wurden abgewiesen: Sie waren nicht lesbar.
attend-invalid = { $value } Anfragen wurden abgewiesen: Ein Ereignis darin war nicht gültig.
remedy-unreadable = Den Diensten wurde gesagt, welche Zeile falsch ist; sehen Sie in deren Protokolle. Was sie nicht noch einmal senden, ist nicht aufgezeichnet.
attend-too-large = { $value } Anfragen wurden abgewiesen: zu groß.
remedy-too-large = Lassen Sie die Dienste kleinere Anfragen senden. Was sie nicht noch einmal senden, ist nicht aufgezeichnet.
attend-not-allowed = { $value } Anfragen wurden abgewiesen: Ihr Konto darf dort nicht schreiben.
remedy-not-allowed = Sehen Sie nach den Token der Dienste: nach ihrer Rolle und den Logs, die sie nennen.
attend-not-open = { $value } Anfragen wurden abgewiesen: Ihr Log nahm keine Einträge an.
remedy-not-open = Dienste, die mit ihrem Idempotency-Key noch einmal senden, verlieren nichts. Sehen Sie die Logs unten an.
attend-quarantined = { $value } Ereignisse an Log { $log } waren nicht lesbar; sie sind aufbewahrt, wie sie kamen.
remedy-quarantined = Sie stehen im Log unter dem Vorgang `quarantined` und nennen niemanden: Keine Suche und kein Export über eine Person findet sie. Lassen Sie den Dienst sie richtig noch einmal senden.
attend-new-readers = Konten, die lesen können, angelegt in den letzten 7 Tagen: { $value }.
remedy-new-readers = Wissen Sie nichts davon, sehen Sie im Zugriffsprotokoll nach, wer sie angelegt hat.
attend-others = { $value } weitere davon.
remedy-others = Nur die Logs zeigen, die jemanden brauchen.
overview-since = Einträge je Stunde, Abgewiesenes und Unlesbares sind gezählt seit dem Start des Servers um
overview-free = Freier Platz: { $bytes } Bytes.
overview-rate = Letzte 24 Stunden
overview-rate-alt = Einträge je Stunde: { $now } in dieser Stunde, { $sum } in 24 Stunden, höchstens { $most } in einer
overview-per-hour = { $n } in dieser Stunde
overview-known = Gut zu wissen
overview-look = Ansehen
overview-missed = versäumt
overview-only-attention = Nur Logs, die jemanden brauchen
overview-count = { $n ->
    [one] { $n } Log
   *[other] { $n } Logs
 }
attend-sign-ins = { $value } Anmeldungen wurden in der letzten Stunde abgewiesen.
remedy-sign-ins = Vielleicht rät jemand: Raten wird gebremst, bekannte Browser nicht. Sehen Sie in `/metrics` nach, welche Art es ist, und im Log des Proxys, woher sie kommen.
attend-names-asked = { $value } Anfragen nach einem Namen des Zugriffsprotokolls warten auf eine zweite Person.
remedy-names-asked = Lesen Sie, wozu der Name gebraucht wird, und erlauben Sie es oder lehnen Sie ab.

access-did-verify = Logs prüfen lassen
access-did-compare = einen Checkpoint mit seinem Log verglichen
access-did-close-case = jemandes Fall geschlossen
access-did-read = das Zugriffsprotokoll gelesen
access-did-ask = nach einem Namen gefragt
access-did-approve = erlaubt, dass ein Name gezeigt wird
access-did-refuse = abgelehnt, dass ein Name gezeigt wird
access-did-show = einen Namen gesehen
access-did-create-token = ein Token ausgestellt, das lesen kann
access-did-create-person = eine Person eingelassen, die lesen kann
access-did-reset-password = ein neues Passwort für jemanden gemacht, der lesen kann
access-did-revoke-token = ein Token widerrufen
access-did-remove-person = eine Person entfernt
access-did-set-require-case = geändert, ob ein Log nach einer Fallnummer fragt
access-lead = Wer wann was wozu gelesen hat. Personen stehen hier mit Rolle und Pseudonym; auch dieses Lesen wird hier festgehalten.
access-names = Namen
access-found = Vorgänge, die neuesten zuerst
access-none = Auf dieser Seite passt kein Vorgang. Ältere vielleicht: Gehen Sie weiter, oder ändern Sie die Frage.
access-when = Wann
access-by = Von
access-unshown-do = An diesen Stellen können Zugriffe fehlen: Gelesen wurde nicht, was aufgezeichnet worden war. Lassen Sie den Datenordner, wie er ist, und prüfen Sie das Log.
access-person = über eine Person oder mehrere
access-details = Einzelheiten
access-ask = Nach dem Namen fragen
access-ask-note = Eine zweite Person muss es erlauben. Die Anfrage wird festgehalten.
access-looked = { $n ->
    [one] { $n } Eintrag wurde angesehen.
   *[other] { $n } Einträge wurden angesehen.
 }
access-older = Ältere
access-read = Zugriffsprotokoll lesen
access-operation-hint = Etwa search, read_entry, export, verify, create_token.
access-role-hint = auditor, regulator, admin.
access-log-hint = Nur Vorgänge zu diesem Log.
access-names-lead = Den Namen hinter einem Pseudonym gibt es nur zu zweit: Jemand fragt und sagt wozu, jemand anderes erlaubt es oder lehnt ab. Jeder Schritt wird festgehalten.
access-names-none = Niemand hat nach einem Namen gefragt. Fragen Sie neben einem Vorgang des Zugriffsprotokolls.
access-name-of = Der Name hinter { $pseudonym }
access-name-once = Er wird dieses eine Mal gezeigt. Dass er gezeigt wurde, ist festgehalten.
access-pseudonym = Pseudonym
access-decide = Entscheiden
access-waiting = wartet auf eine zweite Person
access-approved = erlaubt
access-refused = abgelehnt
access-shown = gezeigt
access-expired = abgelaufen
access-approve = Erlauben
access-refuse = Ablehnen
access-show = Den Namen zeigen, einmal
access-until = Bis
access-second = Ein anderer Prüfer oder ein Verwalter entscheidet.
nav-access = Zugriffsprotokoll

## Konten

role-writer = schreibt Einträge; liest nichts
role-auditor = sucht, exportiert und prüft
role-regulator = lädt die Exporte herunter, die mit dem Konto geteilt sind
role-admin = verwaltet Personen, Token und Logs; liest keinen Eintrag
role-operator = liest Messwerte
state-valid = gültig
state-revoked = widerrufen
state-expired = abgelaufen
account-title = Ihr Konto
account-made = Angelegt
account-ends = Endet
account-ends-never = nie
account-id = Kennung
account-all-logs = alle
account-logs-hint = Namen, durch Leerzeichen getrennt. Keiner: alle Logs.
account-expires-hint = In UTC, einschließlich. Keiner: Es endet nicht.
account-changed = Ihr Passwort ist geändert. Alle anderen Sitzungen sind beendet.
account-old = Ihr jetziges Passwort
account-old-hint = Wenn Sie es nicht wissen, stellt die Verwaltung ein neues aus.
account-new = Neues Passwort
account-new-hint = Mindestens { $n } Zeichen, welche Sie wollen. Mehrere Wörter, die Sie sich merken können, sind gut.
account-again = Neues Passwort noch einmal
account-again-hint = Damit nichts vertippt ist.
account-change = Passwort ändern
account-change-means = Alle Ihre anderen Sitzungen enden.
account-is-token = Sie sind mit einem Token angemeldet, das kein Passwort hat. Um es zu ersetzen, lassen Sie die Verwaltung ein neues ausstellen und dieses widerrufen.
account-sessions = Sitzungen
account-sessions-lead = Falls Sie ein Gerät verloren haben oder ein Browser angemeldet geblieben ist:
people-made = { $name } kann sich jetzt anmelden
people-made-do = Geben Sie dieses Passwort jetzt weiter. Es wird nur dieses eine Mal gezeigt und nirgends aufbewahrt. Die Person ändert es unter ihrem Namen, oben auf jeder Seite.
people-none = Noch meldet sich niemand mit einem Passwort an.
people-none-do = Token sind für Dienste; Menschen melden sich hier mit Name und Passwort an.
people-password-set = Passwort gesetzt
people-do = Neues Passwort, oder entfernen
people-reset = Neues Passwort für { $name } ausstellen
people-reset-means = Das alte gilt nicht mehr, und alle Sitzungen enden. Bei jemandem, der lesen kann, ist es ein Eintrag im Log _access.
people-remove = Entfernen
people-remove-means = Das Konto endet sofort, mit allen seinen Sitzungen.
people-remove-own = Es ist Ihr eigenes.
people-remove-one = { $name } entfernen
people-new = Neue Person
people-name-hint = Der Name zum Anmelden; Groß und Klein zählen nicht.
people-new-note = Eine Person, die lesen kann, ist selbst ein Eintrag im Log _access.
people-let-in = Person einlassen
tokens-made = Das Token { $name } ist ausgestellt
tokens-made-do = Kopieren Sie sein Geheimnis jetzt. Es wird nur dieses eine Mal gezeigt und nirgends aufbewahrt.
tokens-revoke = Widerrufen
tokens-revoke-means = Es endet sofort, mit allen seinen Sitzungen, und kann nicht wieder gültig werden.
tokens-revoke-own = Sie sind damit angemeldet.
tokens-revoke-one = { $name } widerrufen
tokens-new = Neues Token
tokens-name-hint = Wie man es nennt: der Dienst oder die Person.
tokens-new-note = Ein Token, das lesen kann, ist selbst ein Eintrag im Log _access.
tokens-make = Token ausstellen
start-title = Was dieses Konto kann
start-writer = Es schreibt Einträge in Logs. Es liest nichts, deshalb gibt es hier wenig zu sehen.
start-writer-answer = Die Antwort 201 sagt, dass das Ereignis auf der Platte und in der Kette ist.
start-operator = Es liest Messwerte unter `/metrics`, mit `Authorization: Bearer`. Es liest kein Log.
start-operator-health = Die Zustandsabfrage braucht kein Token: [/healthz](/healthz) sagt, dass der Prozess antwortet, [/readyz](/readyz), ob er seine Arbeit tun kann.
start-regulator = Es lädt die Exporte herunter, die jemand, der prüft, mit ihm geteilt hat. Jedes Herunterladen wird aufgezeichnet.
start-exports = Zu den Exporten
start-other = Alles Weitere steht oben in der Navigation.

## Links

link-share = Jemandem ohne Konto übergeben
link-made = *Der Link für { $recipient } ist angelegt.* Kopieren Sie ihn jetzt: Er wird nur dieses eine Mal gezeigt und nirgends aufbewahrt.
link-made-phrase = Das Kennwort. Teilen Sie es auf einem anderen Weg mit als den Link, etwa am Telefon.
link-made-open = Wer den Link hat, kann herunterladen, ohne Kennwort.
link-list = Links
link-recipient = Empfänger
link-recipient-hint = Wer ihn bekommt: eine Behörde oder eine Person. Es steht im Log _access.
link-last-used = Zuletzt benutzt
link-without-phrase = ohne Kennwort
link-revoke-whose = (Link für { $recipient })
link-expires-hint = In UTC, einschließlich.
link-open = Ohne Kennwort
link-open-means = wer an den Link kommt, kann herunterladen
link-make = Link anlegen
link-title = Ein Export für Sie
link-closed-lead = Jemand hat Ihnen diesen Link gesandt, um Ihnen einen Auszug aus einem Protokoll zu übergeben: was mit den Daten einer Person getan wurde, mit Beweisen, die Sie selbst prüfen können.
link-refused = *Das ist nicht das Kennwort.* Es kam auf einem anderen Weg zu Ihnen als der Link. Fragen Sie, wer ihn gesandt hat.
link-pass-phrase = Kennwort
link-pass-phrase-hint = Vier Gruppen von fünf Buchstaben und Ziffern; Groß und Klein zählen nicht.
link-show = Zeigen, was da ist
link-recorded = Dass Sie ihn geöffnet haben, wird aufgezeichnet, und jedes Herunterladen auch.
link-ends = Der Link endet:
link-made-at = Der Export wurde erstellt:
link-open-lead = Ein Auszug aus einem Protokoll über eine Person: jeder Eintrag, der sie nennt, mit Beweisen, dass nichts daran geändert und nichts weggelassen wurde.
link-entries = { $n ->
    [one] 1 Eintrag
   *[other] { $n } Einträge
}
link-take = Nehmen Sie das Paket: Alles andere ist darin. Jedes Herunterladen wird aufgezeichnet.
link-download = Herunterladen
link-check = Prüfen Sie es selbst
link-check-page = [Öffnen Sie die Seite, die ein Paket prüft](/verify), und ziehen Sie `bundle.zip` darauf. Nichts wird hochgeladen: Ihr eigener Browser tut es. Dieselbe Seite liegt als `verify.html` im Paket und läuft ohne Netz.
link-check-trust = Wenn Sie dem Absender nicht trauen dürfen, nehmen Sie eine Kopie dieser Seite, die Sie anderswoher haben, und vergleichen Sie den Fingerabdruck des Schlüssels mit ihm am Telefon. `README.txt` im Paket sagt, wie man alles mit anderen Programmen prüft.

## Die API

docs-lead = JSON hinein und heraus. Senden Sie `Authorization: Bearer TOKEN`. Fehler sind `application/problem+json` (RFC 9457). Für Programme: [openapi.json](/openapi.json)
docs-for = Für:
docs-anyone = alle
docs-parameters = Parameter
docs-in-path = im Pfad
docs-in-query = in der Query
docs-in-header = in einer Kopfzeile
docs-body = Rumpf
docs-answers = Antworten
docs-no-body = kein Rumpf
docs-schemas = Schemata
docs-one-of = Eines von
docs-fields = Felder von { $schema }
docs-field = Feld
docs-type = Typ

## Die Seite, die Pakete prüft

checker-title = Ein Paket prüfen
checker-keep = Diese Seite behalten
checker-keep-means = als eine Datei: Sie prüft Pakete von Ihrer Platte, ohne diesen Server.
checker-lead = Ziehen Sie ein Paket hierher, oder wählen Sie es aus: Ihr Browser prüft es. Nichts wird hochgeladen, und kein Netz ist nötig.
checker-no-script = Diese Seite braucht JavaScript: Die Prüfung läuft in Ihrem Browser. Ohne geht es mit `estreat verify BUNDLE.zip --key KEY`.
checker-bundle = Paket
checker-bundle-hint = Die `.zip`-Datei, die Sie bekommen haben, so wie sie kam.
checker-bundle-none = Wählen Sie zuerst ein Paket aus.
checker-keys = Prüfschlüssel
checker-keys-hint = Einer je Zeile, `name+hash+base64`: der jedes Logs und der des Servers. Vom Betreiber, auf einem anderen Weg als das Paket.
checker-key-read = Schlüssel von `{ $name }`, Fingerabdruck `{ $fingerprint }`
checker-key-refused = Nicht gelesen: `{ $text }`: { $flaw }
checker-do = Paket prüfen
checker-trust = Wem muss ich trauen?
checker-trust-page = *Dieser Seite.* Wenn Sie dem Absender des Pakets nicht trauen dürfen, nehmen Sie nicht die `verify.html`, die darin liegt: Sie könnte alles sagen. Nehmen Sie eine eigene Kopie, die Sie von jemand anderem oder von früher haben. Sie läuft von der Platte, ohne Netz.
checker-trust-keys = *Den Schlüsseln.* Ein Schlüssel, der mit dem Paket kam, beweist nichts. Besorgen Sie ihn auf einem anderen Weg, und vergleichen Sie seinen Fingerabdruck, etwa am Telefon.
checker-trust-nobody = *Sonst niemandem.* Mit einer echten Seite und einem echten Schlüssel kann niemand einen Eintrag ändern, hinzufügen oder weglassen, ohne dass diese Seite es sieht. Zwei unabhängige Programme prüfen dasselbe: `estreat verify` und `verify_bundle.py`.
checker-asked = Die Frage, die das Paket beantwortet
checker-compare = Vergleichen Sie sie mit der, die Sie gestellt haben.
checker-steps = Schritte
checker-findings = Befunde
checker-coverage = Umfang
checker-verdict = Ergebnis
checker-entries = Einträge
checker-footer = Estreat: ein prüfbares Protokoll für personenbezogene Daten. Alle Zeiten sind UTC. Diese Seite fragt nirgends etwas ab.
checker-moment = { $day }, { $time } UTC
checker-being-checked = Wird geprüft.
checker-checking = Das Paket wird geprüft.
checker-not-checked = NICHT GEPRÜFT
checker-not-looked = Es ließ sich nicht ansehen: { $why }. Das sagt nichts darüber, was in dem Paket ist.
checker-count = { $done } von { $total }
checker-step-failed = Ein Schritt ist fehlgeschlagen: { $step }
checker-log = Log `{ $log }`
checker-more-logs = Die Schritte der übrigen Logs sind nicht einzeln aufgeführt; was sie finden, steht unten.
checker-state-waiting = wartet
checker-state-running = läuft
checker-state-ok = stimmt
checker-state-failed = FEHLER
checker-state-unknown = kein Schlüssel
checker-state-skipped = nicht geprüft
checker-step-manifest = Manifest
checker-step-checkpoint = Checkpoint
checker-step-proof = Beweis
checker-step-links = Glieder
checker-step-entries = Einträge
checker-step-count = Anzahl
checker-step-subject = Person
checker-step-coverage = Umfang
checker-does-manifest = Ob jede Datei da ist, wie das Manifest sie aufführt, und keine andere
checker-does-checkpoint = Ob der Checkpoint mit einem Schlüssel signiert ist, den Sie angegeben haben
checker-does-proof = Ob der Beweis seine Form hat und dieser Frage gilt
checker-does-links = Ob die Glieder zum Checkpoint führen und keines fehlt
checker-does-entries = Ob jeder Eintrag ist, wie er in seinem Stapel versiegelt wurde
checker-does-count = Ob es so viele Zeilen gibt, wie der Beweis hat
checker-does-subject = Ob genau die Einträge gezeigt sind, die die Person nennen
checker-does-coverage = Wie weit das reicht, und was nicht gezeigt ist
checker-means-manifest = Die Dateien des Pakets sind nicht die, aus denen es erstellt wurde.
checker-means-checkpoint = Wer für diese Geschichte einsteht, und für welches Log, ist nicht gezeigt.
checker-means-proof = Der Beweis ist nicht lesbar oder gilt etwas anderem.
checker-means-links = Die gezeigte Geschichte ist nicht oder nicht ganz die, die signiert wurde.
checker-means-entries = Ein gezeigter Eintrag ist nicht, wie er versiegelt wurde, oder fehlt.
checker-means-count = Es gibt Einträge, die nichts beweist.
checker-means-subject = Einträge, die die Person nennen, fehlen oder sind verändert, oder andere kamen hinzu.
checker-means-unknown-key = Niemand, den Sie genannt haben, steht für diese Geschichte ein.
checker-subject-exactly = `{ $subject }` (genau diese Zeichen)
checker-subject-unknown = unbekannt: Das Manifest ist nicht lesbar
checker-logs-more = { $logs } und { $n } weitere
checker-says-manifest = { $text } (wie das Manifest sagt)
checker-sender = Das Wort des Absenders
checker-note-holds = `manifest.note` ist mit einem Schlüssel von `{ $signer }` signiert, den Sie angegeben haben: Für Bericht, Tabelle, Zweck und Fragenden steht er ein.
checker-note-fails = `manifest.note` stimmt nicht: Für Bericht, Tabelle, Zweck und Fragenden steht allein der Absender ein.
checker-note-not-checked = `manifest.note` wurde nicht geprüft, denn kein angegebener Schlüssel signiert es: Für Bericht, Tabelle, Zweck und Fragenden steht allein der Absender ein.
checker-note-none = Es gibt kein `manifest.note`: Für Bericht, Tabelle, Zweck und Fragenden steht allein der Absender ein.
checker-claimed = Diese Schlüssel nennt das Paket selbst; das beweist nichts. Vergleichen Sie den Fingerabdruck mit einem, den Sie auf einem anderen Weg bekommen haben.
checker-claimed-given = (diesen Schlüssel haben Sie angegeben)
checker-fingerprint = Fingerabdruck `{ $fingerprint }`
checker-key = Schlüssel `{ $key }`
checker-finding = { $verdict }: { $what }
checker-findings-more = Und { $n } weitere.
checker-step = Schritt
checker-where = Wo
checker-expected = Erwartet
checker-found = Gefunden
checker-covered = ERFASST
checker-not-covered = NICHT ERFASST
checker-withheld = ZURÜCKGEHALTEN
checker-erased = GELÖSCHT
checker-covers = `{ $log }`: { $segments ->
    [one] 1 abgeschlossenes Segment erfasst
   *[other] { $segments } abgeschlossene Segmente erfassen
} { $entries ->
    [one] 1 Eintrag
   *[other] { $entries } Einträge
}, bis { $at }
checker-covers-none = `{ $log }`: Kein Segment ist abgeschlossen
checker-open-to = `{ $log }`: ab Eintrag { $first } bis { $last }: das aktive Segment, das noch wachsen kann
checker-open-on = `{ $log }`: ab Eintrag { $first }: das aktive Segment, das noch wachsen kann
checker-at-position = `{ $log }`: Stelle { $position } von Glied { $link }
checker-more = { $n } weitere
checker-more-some = { $n } weitere, von denen die ersten { $shown } hier stehen
checker-summary = { $verdict }: { $n ->
    [one] 1 Befund
   *[other] { $n } Befunde
}
checker-means-verified = Nichts wurde verändert, seit es aufgezeichnet wurde, und nichts, was diese Kennung nennt, wurde weggelassen, so weit der Umfang reicht. Es heißt nicht, dass wahr ist, was die Dienste gesendet haben, dass es alles ist, was sie getan haben, oder dass ein Gesetz eingehalten wurde.
checker-means-altered = Etwas ist nicht, wie es aufgezeichnet wurde. Die Befunde sagen, was. Bewahren Sie das Paket unverändert auf, und verlangen Sie es noch einmal.
checker-means-missing = Etwas, das da sein muss, fehlt. Die Befunde sagen, was. Bewahren Sie das Paket unverändert auf, und verlangen Sie es noch einmal.
checker-means-truncated = Die Einträge enden zu früh: Vielleicht brach das Herunterladen ab. Verlangen Sie das Paket noch einmal.
checker-means-no-key = Alles, was sich ohne Schlüssel prüfen lässt, passt zusammen, aber nicht, von wem es ist: Jeder könnte es erstellt haben. Fügen Sie oben die Prüfschlüssel ein, die Sie auf einem anderen Weg als mit diesem Paket bekommen haben, und prüfen Sie noch einmal.
checker-shown = { $n ->
    [one] 1 Eintrag ist gezeigt.
   *[other] { $n } Einträge sind gezeigt.
}
checker-took = In diesem Browser geprüft, in { $seconds } Sekunden.
checker-none = Kein Eintrag nennt diese Kennung im Zeitraum.
checker-none-proved = Das ist bewiesen: In jedem abgeschlossenen Segment ist die Stelle leer, an der sie stünde.
checker-time = Zeit (UTC)
checker-unproved = Nicht alles davon ist bewiesen: siehe die Befunde.
checker-no-trust = Nichts davon ist bewiesen ohne einen Schlüssel, dem Sie trauen.
checker-first-of = Die ersten { $shown } von { $all }.
checker-opens = Die Nummer eines Eintrags öffnet seinen Beweis: Hashwert, Stapel, Glied und Checkpoint.
checker-proof-of = Eintrag { $entry } von { $log }: sein Beweis
checker-no-entry = kein Eintrag
checker-way-entry = Eintrag, genau wie er versiegelt wurde
checker-bytes-withheld = Seine Bytes sind zurückgehalten; hier ist nur sein Blatt.
checker-bytes-erased = Seine Bytes sind gelöscht; hier ist nur sein Blatt.
checker-bytes-gone = Seine Zeile ist nicht da.
checker-bytes = { $n ->
    [one] 1 Byte
   *[other] { $n } Bytes
}, von denen keine andere Schreibweise möglich ist.
checker-bytes-first = Die ersten davon stehen hier.
checker-local = Zeit des Ereignisses dort, wo Sie sind: { $time }.
checker-hash = Hashwert
checker-hash-of = SHA-256 von 0x00, dem Salz und diesen Bytes.
checker-salt = Salz
checker-salt-none = nicht angegeben
checker-leaf = Blatt (Hashwert)
checker-unknown = unbekannt
checker-batch = Stapel: Stelle { $position } von { $n }
checker-batch-of = Das Blatt an dieser Stelle ergibt mit den Hashwerten der anderen die Wurzel des Stapels, die in seinem Glied steht.
checker-root = Wurzel
checker-link = Glied { $n }
checker-checkpoint = Checkpoint
checker-signed = Das Blatt des Glieds ergibt mit denen der anderen die Wurzel über alle { $n } Glieder des Logs, und die ist signiert.
checker-signed-by-other = Das Blatt des Glieds ergibt mit denen der anderen die Wurzel über alle { $n } Glieder des Logs, und die ist signiert, aber nicht mit einem Schlüssel, den Sie angegeben haben.
checker-origin = Ursprung
checker-key-fingerprint = Fingerabdruck des Schlüssels
checker-unread = Er war nicht lesbar.

## Ergebnisse

verdict-verified = VERIFIED (bestätigt)
verdict-altered = ALTERED (verändert)
verdict-missing = MISSING (fehlt)
verdict-truncated = TRUNCATED (abgeschnitten)
verdict-unknown-key = UNKNOWN KEY (Schlüssel unbekannt)

## Was die Prüfung eines Pakets findet: wo es liegt, was falsch ist, was erwartet und gefunden wurde

place-zip = die Zip-Datei
place-link = Glied { $n }
place-line = Zeile { $n }
place-batch = Stapel von Glied { $n }
place-segment = Segment { $n }
place-entry = Eintrag { $n }
fact-nothing = nichts
fact-none = keiner
fact-another = eine andere
fact-another-or-none = eine andere oder keine
fact-each-file-once = jede Datei einmal, und für jeden Leser gleich
fact-time-or-null = eine Zeit der Form `YYYY-MM-DDThh:mm:ss.ffffffZ` oder null
fact-file = eine Datei
fact-note = eine signierte Notiz
fact-signature = eine Signatur mit dem angegebenen Schlüssel ihres Namens
fact-signature-of = eine Signatur mit dem angegebenen Schlüssel des Namens `{ $name }`
fact-once = einmal
fact-log-files = die drei Dateien mindestens eines Logs
fact-no-folder = kein solcher Ordner
fact-no-name = kein solcher Name
fact-no-file = keine solche Datei
fact-checkpoint = Ursprung, Größe und Wurzel
fact-key-of = ein Schlüssel des Namens `{ $name }`
fact-proof-form = die Form von `proof.json`
fact-link = ein Glied der Version 1
fact-sync = Glied { $n } um { $at }, Stelle { $position }
fact-sync-after = was Glied { $n } um { $at }, Stelle { $position }, fortsetzt oder danach kommt
fact-close-of = das Schlussglied von Segment { $n }
fact-close-link = Schlussglied { $n }
fact-at-most = höchstens { $n }
fact-batch-link = das Glied eines Stapels
fact-kind = Art { $n }
fact-links-of-use = Schlussglieder, die der gezeigten Stapel und das letzte
fact-inside = in Segment { $n }
fact-outside = außerhalb
fact-times = { $from } bis { $to }
fact-ascending-links = aufsteigende Glieder
fact-entries = Einträge
fact-line = eine Zeile
fact-end = das Ende
fact-bytes = { $n ->
    [one] höchstens 1 Byte
   *[other] höchstens { $n } Bytes
}
fact-more-bytes = mehr Bytes
fact-proof = ein Beweis
fact-proof-closed = ein Beweis, denn ein Segment ist abgeschlossen
fact-tag-proof = ein Beweis der Kennzeichen der Person unter dem Schlüssel des Registers (`index_key`)
fact-ascending-closes = aufsteigende Schlussglieder
fact-list-or-neighbours = eine Liste von Einträgen oder zwei Nachbarn
fact-segments-of-use = abgeschlossene Segmente mit Einträgen im Zeitraum
fact-index-root = was die Wurzel des Registers sagt
fact-root = die Wurzel { $root }
fact-list = Einträge und Zeiten, aufsteigend
fact-own-entries = die eigenen Einträge und Zeiten
fact-listed-entries = Einträge, die eine Liste im Zeitraum nennt
fact-entry = ein Eintrag
fact-other-bytes = andere Bytes
fact-its-id = die Kennung der Person
fact-others = andere
flaw-at = bei `{ $path }`: { $flaw }
flaw-browser = der Browser sagt: { $detail }
flaw-too-large = es ist zu groß für einen Browser; prüfen Sie es mit `estreat verify`
flaw-zip-past-end = sein Verzeichnis führt über sein Ende hinaus
flaw-zip-number = eine Länge von 2^53 oder mehr
flaw-zip64 = sein zip64-Verzeichnis fehlt
flaw-zip-parts = es ist einer von mehreren Teilen
flaw-no-zip = das ist keine Zip-Datei
flaw-zip-files = { $n ->
    [one] mehr als 1 Datei
   *[other] mehr als { $n } Dateien
}
flaw-zip-damaged = sein Verzeichnis ist beschädigt
flaw-zip = eine Zip-Datei, die andere anders lesen können
flaw-zip-behind = Bytes hinter ihrem Ende
flaw-zip-directory-end = ihr Verzeichnis endet nicht, wo es soll
flaw-zip-directory-length = ihr Verzeichnis hat eine andere Länge, als es sagt
flaw-zip-encrypted = eine verschlüsselte Datei
flaw-zip-name-twice = der Name `{ $name }` steht zweimal da
flaw-zip-file-elsewhere = `{ $name }` liegt nicht, wo das Verzeichnis sagt
flaw-zip-header = das Verzeichnis sagt über `{ $name }` etwas anderes als der Kopf der Datei
flaw-zip-lengths = die Längen hinter `{ $name }` sind nicht die des Verzeichnisses
flaw-zip-gap = Bytes zwischen ihren Dateien
flaw-zip-gap-directory = Bytes zwischen ihren Dateien und ihrem Verzeichnis
flaw-zip-overlap = ihre Dateien überlappen sich
flaw-zip-no-file = keine Datei, wo das Verzeichnis der Zip-Datei sagt
flaw-zip-size = mehr Bytes, als die Zip-Datei sagt
flaw-too-many-bytes = { $n ->
    [one] mehr als 1 Byte
   *[other] mehr als { $n } Bytes
}
flaw-checksum = sie entpackt sich zu einer anderen Länge oder Prüfsumme, als die Zip-Datei sagt
flaw-deflate = mehr Bytes, als darin gepackt sein können
flaw-unpack = sie lässt sich nicht entpacken: { $detail }
flaw-utf8 = kein UTF-8
flaw-base64 = kein Base64
flaw-base64-canonical = nicht die eine Schreibweise seines Base64
flaw-length = { $n ->
    [one] 1 Byte
   *[other] { $n } Bytes
}, nicht { $size }
flaw-time = keine Zeit der Form `YYYY-MM-DDThh:mm:ss.ffffffZ`
flaw-json = kein JSON: { $detail }
flaw-surrogate = ein Text mit einem halben Zeichen (einem einzelnen Surrogat)
flaw-name-twice = der Name `{ $name }` steht zweimal da
flaw-white-space = Leerraum zwischen den Werten
flaw-whole-number = `{ $number }` ist keine ganze Zahl unter 2^53
flaw-not-string = kein Text
flaw-not-number = keine Zahl
flaw-not-one-of = nicht eines von: { $words }
flaw-not-list = keine Liste
flaw-not-object = kein Objekt
flaw-extra-name = es darf den Namen `{ $name }` nicht haben
flaw-lacks-name = `{ $name }` fehlt
flaw-hex = nicht 64 kleine Hexadezimalziffern
flaw-tree-node = kein Knoten eines Baums: Ebene, Stelle, Hashwert
flaw-key-form = kein Prüfschlüssel; der hat die Form `name+hash+base64`
flaw-key-kind = kein Prüfschlüssel für Ed25519
flaw-key-hash = sein Hashwert passt nicht zu Name und Schlüssel: Vielleicht ist er vertippt
flaw-note-form = keine signierte Notiz: Text, eine leere Zeile und Zeilen mit Signaturen
flaw-note-signatures = { $n ->
    [one] mehr als 1 Signatur
   *[other] mehr als { $n } Signaturen
}
flaw-note-line = eine Signaturzeile, die nicht „— name base64“ ist
flaw-note-empty = eine Signaturzeile ohne Signatur
flaw-checkpoint-form = kein Checkpoint; der besteht aus Ursprung, Größe und Wurzel, je einer Zeile
flaw-node-twice = der Knoten `{ $node }` des Baums steht zweimal da
flaw-node-gone = der Knoten `{ $node }` des Baums wird gebraucht und fehlt
flaw-node-useless = der Knoten `{ $node }` des Baums wird nicht gebraucht
flaw-leaf-order = das bekannte Blatt { $n } steigt nicht auf
flaw-leaf-past = das bekannte Blatt { $n } liegt hinter dem Ende des Baums
flaw-link-length = seine Länge ist nicht die seiner Art
flaw-link-version = kein Glied der Version 1 und der Art 1 bis 4
flaw-past = `{ $name }` liegt über 2^53
flaw-sync-position = `sync_position` liegt über `number`
flaw-entry-count = `entry_count` ist nicht 1 bis { $most }
flaw-close-blank = es hat Zeiten oder Personen, aber keinen Eintrag
flaw-earliest = seine früheste Zeit liegt hinter seiner spätesten
flaw-list-form = seine Liste ist leer oder keine
flaw-list-order = seine Liste steigt nicht auf
flaw-neighbours = Nachbarn, zwischen denen das Kennzeichen der Person nicht liegt
flaw-point = kein Element von ristretto255
flaw-vrf-form = kein Beweis
flaw-vrf = der Beweis stimmt nicht
flaw-no-manifest = es gibt kein lesbares Manifest
flaw-range-none = ein Zeitraum, der keiner ist
flaw-file-unreadable = eine Datei, die nicht lesbar ist
flaw-no-note = keine signierte Notiz
flaw-note-other = die Notiz eines anderen Manifests
flaw-signature = eine Signatur, die nicht stimmt
flaw-log-twice = ein zweimal genanntes Log
flaw-log-no-folder = ein Log ohne seinen Ordner
flaw-no-log = kein Log
flaw-log-unnamed = ein Log, das das Manifest nicht nennt
flaw-log-file-gone = eine Datei eines Logs fehlt
flaw-lists-itself = das Manifest führt sich selbst oder seine Notiz auf
flaw-listed-gone = eine Datei, die das Manifest aufführt, fehlt
flaw-file-changed = eine Datei, die nach dem Manifest verändert wurde
flaw-unlisted = eine Datei, die das Manifest nicht aufführt
flaw-no-checkpoint = kein Checkpoint
flaw-unknown-key = kein angegebener Schlüssel sagt, wessen Checkpoint das ist
flaw-folder = das Log liegt im Ordner eines anderen
flaw-other-server = der Checkpoint des Logs eines anderen Servers
flaw-no-proof = kein lesbarer Beweis
flaw-other-checkpoint = der Beweis gilt einem anderen Checkpoint als `checkpoint.txt`
flaw-other-origin = der Beweis gilt einem anderen Ursprung als dem des Checkpoints
flaw-other-subject = der Beweis gilt einer anderen Person als der des Manifests
flaw-other-range = der Beweis gilt einem anderen Zeitraum als dem des Manifests
flaw-no-link = kein lesbares Glied
flaw-link-number = ein anderes Glied steht an seiner Stelle
flaw-link-log = das Glied eines anderen Logs
flaw-previous = es folgt nicht auf das Glied davor
flaw-sync = es kann nicht nach dem Glied davor auf die Platte geschrieben worden sein
flaw-log-tree = die Hashwerte vom Baum des Logs passen nicht zusammen
flaw-log-root = die Glieder ergeben nicht die Wurzel, die signiert wurde
flaw-last-link-gone = das letzte Glied des Logs fehlt
flaw-last-segment = das letzte Glied gehört zu einem anderen Segment als dem aktiven
flaw-close-gone = ein Schlussglied fehlt
flaw-segment = es nennt ein anderes Segment als das, in dem es liegt
flaw-first-link = sein Segment beginnt mit einem anderen Glied (`first_link`)
flaw-first-entry = sein Segment beginnt mit einem anderen Eintrag (`first_entry`)
flaw-index-key = das Register hat einen anderen Schlüssel als das Segment davor (`index_key`)
flaw-entry-place = seine Einträge schließen nicht an die davor an
flaw-batch-link-gone = das Glied eines Stapels fehlt
flaw-kind = ein Glied anderer Art
flaw-link-useless = ein Glied, das nichts Gefragtes beweist
flaw-segment-place = es liegt nicht in seinem Segment
flaw-link-times = seine Zeiten sind nicht die seines Segments
flaw-batches-order = die Stapel steigen nicht auf
flaw-batch-useless = ein Stapel ohne Einträge
flaw-batch-tree = die Hashwerte vom Baum des Stapels passen nicht zusammen
flaw-batch-root = die Einträge ergeben nicht die Wurzel im Glied ihres Stapels
flaw-lines-order = die Zeilen steigen nicht um eins auf
flaw-ends-early = die Datei endet zu früh
flaw-line-long = eine zu lange Zeile
flaw-extra-lines = Zeilen, die der Beweis nicht hat
flaw-tag-proof-extra = ein Beweis der Kennzeichen der Person, obwohl kein Segment abgeschlossen ist
flaw-tag-proof-gone = der Beweis der Kennzeichen der Person fehlt
flaw-tag-proof = der Beweis der Kennzeichen der Person stimmt nicht
flaw-entry-gone = ein Eintrag, der die Person nennt, fehlt
flaw-segments-order = die Segmente steigen nicht auf
flaw-segment-gone = ein Segment fehlt
flaw-segment-useless = ein Segment, nach dem nicht gefragt war
flaw-index = das Register sagt nicht, was von ihm behauptet wird
flaw-list = eine Liste, die keine ist
flaw-list-outside = eine Liste, die ihr Segment verlässt
flaw-entry-extra = ein Eintrag, nach dem nicht gefragt war
flaw-list-time = die Liste nennt eine Zeit außerhalb derer des Stapels
flaw-no-entry = eine Zeile, die kein Eintrag ist
flaw-entry-time = der Eintrag hat eine andere Zeit, als die Liste nennt
flaw-not-named = ein Eintrag, der die Person nicht nennt

## Was eine Prüfung erfasst

extent-covered = `{ $log }`: Der Checkpoint erfasst { $links ->
    [one] 1 Glied
   *[other] { $links } Glieder
} mit { $entries ->
    [one] 1 Eintrag
   *[other] { $entries } Einträgen
}; abgeschlossene Segmente: { $segments }
extent-covered-to = `{ $log }`: Der Checkpoint erfasst { $links ->
    [one] 1 Glied
   *[other] { $links } Glieder
} mit { $entries ->
    [one] 1 Eintrag
   *[other] { $entries } Einträgen
}, bis { $at }; abgeschlossene Segmente: { $segments }
extent-unsigned = `{ $log }`: { $links ->
    [one] 1 Glied
   *[other] { $links } Glieder
} ab Glied { $link }, { $entries ->
    [one] 1 Eintrag
   *[other] { $entries } Einträge
} ab Eintrag { $entry }; kein Checkpoint hier steht für sie ein
extent-unsigned-on = `{ $log }`: ab Glied { $link } und Eintrag { $entry }; kein Checkpoint hier steht für sie ein
extent-torn-tail = `{ $log }`: { $bytes ->
    [one] 1 Byte
   *[other] { $bytes } Bytes
} von Segment { $segment } ab Byte { $offset }, anstelle von Glied { $link }: ein abgerissenes Ende, das gerade geschrieben wurde, als der Server anhielt, oder gerade geschrieben wird; nichts darin war bestätigt
extent-cannot-tell = `{ $log }`: { $bytes ->
    [one] 1 Byte
   *[other] { $bytes } Bytes
} von Segment { $segment } ab Byte { $offset }, anstelle von Glied { $link }: Ohne Checkpoint lässt sich nicht sagen, ob das ein abgerissenes Ende oder eine Veränderung ist
extent-no-index = `{ $log }`: { $entries ->
    [one] 1 Eintrag
   *[other] { $entries } Einträge
} ab Eintrag { $entry }; Segment { $segment } ist aktiv und hat noch kein versiegeltes Register der Personen
extent-not-asked = `{ $log }`: ab Segment { $segment }; nicht verlangt
extent-own-word = Kein Schlüssel war angegeben: Das traut dem Wort des Ordners, dass seine Checkpoints die des Servers sind; geprüft wurden Form, Name und Wurzel, nicht die Signaturen.
extent-own-keys = Kein Schlüssel war angegeben: Die Signaturen wurden mit dem Schlüssel geprüft, der im Ordner selbst liegt.
extent-not-opened = Kein Inhalt wurde geöffnet: Ob sich Schlüssel und Inhalte öffnen lassen, Einträge wohlgeformt sind und die Register der Personen sie alle nennen, zeigt nur eine gründliche Prüfung.
extent-no-index-key = Die Register der Personen wurden geöffnet, aber nicht aus den Einträgen neu gebildet: Ihr Schlüssel war nicht zur Hand.
extent-unread = Segmente 0 bis { $segment }: Diese Prüfung beginnt hinter ihnen, bei dem Kopf der Kette, den der Katalog von ihnen hat, und hat sie nicht gelesen
extent-unanchored = Der Bereich wurde Glied für Glied geprüft; dass er unter dem Checkpoint liegt, ließ sich gerade nicht prüfen: Prüfen Sie gleich noch einmal, oder das ganze Log.
