"""Every page of the portal in every state that a person can come to, for the tests of accessibility and the pictures."""
from portal import check, tampered


def all_pages(server, browser):
    """Gives (name, page) for each; the page is used up before the next is asked for."""
    made = server.export()
    nothing = server.export(subject="nobody_at_all")
    verification = server.call("POST", "/api/v1/logs/orders/verifications", {"deep": True})
    public = browser.person(server)
    for name, path in (("signin", "/signin"), ("verify", "/verify"), ("docs", "/docs"), ("not-found", "/nowhere")):
        public.goto(path)
        yield name, public
    bundle = server.bundle(made, "page.zip")
    for name, file, keys in (("verify-good", bundle, server.keys()), ("verify-altered", tampered(bundle), server.keys()),
                             ("verify-no-key", bundle, ""), ("verify-no-zip", __file__, "")):
        public.goto("/verify")
        check(public, file, keys)
        if public.locator(".proof-button").count() > 0:
            public.locator(".proof-button").first.click()
        yield name, public
    auditor = browser.signed_in(server)
    for name, path in (("overview", "/"), ("log", "/logs/orders"), ("search", "/search"), ("exports", "/exports"),
                       ("export-new", "/exports/new"), ("export", f"/exports/{made['id']}"),
                       ("export-empty", f"/exports/{nothing['id']}"), ("entry", "/logs/orders/entries/0"),
                       ("verification", f"/verifications/{verification['id']}"), ("account", "/account"),
                       ("integrity", "/integrity"), ("segment", "/logs/orders/segments/0"), ("access", "/access"),
                       ("access-names", "/access/names"),
                       ("checkpoints", "/logs/orders/checkpoints")):
        auditor.goto(path)
        yield name, auditor
    auditor.goto("/search")
    auditor.fill("#subjects", "user_17\nUSER_17")
    auditor.fill("#purpose", "request for access")
    auditor.locator("main form[action='/search'] button.main").click()
    auditor.wait_for_url("**/cases/*")
    case = auditor.url
    yield "case", auditor
    auditor.locator("form[action$='/exports'] button.main").click()
    auditor.locator(".made .verdict").nth(1).wait_for()
    yield "case-exported", auditor
    auditor.goto("/search")
    yield "cases", auditor
    auditor.goto(case)
    auditor.locator("details.filters summary").click()
    auditor.fill("#actor", "nobody")
    auditor.locator("form[action$='/filters'] button").first.click()
    auditor.locator(".empty").wait_for()
    yield "case-empty", auditor
    auditor.goto("/logs/orders/entries/1")
    auditor.fill("#purpose", "request for access")
    auditor.locator("main form button.main").last.click()
    auditor.locator("form[action$='/check']").wait_for()
    yield "entry-shown", auditor
    auditor.locator("form[action$='/check'] button").click()
    auditor.locator(".verdict").wait_for()
    yield "entry-checked", auditor
    auditor.goto("/logs/orders/checkpoints")
    auditor.locator("td form button").first.click()
    auditor.locator(".verdict").wait_for()
    yield "checkpoint-compared", auditor
    auditor.goto("/logs/orders")
    auditor.fill("#first_segment", "9999")
    auditor.locator("form[action$='/verifications'] button").click()
    auditor.locator("#first_segment-error").wait_for()
    yield "log-refused", auditor
    auditor.goto("/access")
    auditor.fill("#purpose", "yearly review")
    auditor.locator("main form[action='/access'] button.main").first.click()
    auditor.wait_for_load_state()
    yield "access-found", auditor
    admin = browser.signed_in(server, "admin")
    for name, path in (("admin-overview", "/"), ("tokens", "/tokens"), ("people", "/people"),
                       ("open-cases", "/cases")):
        admin.goto(path)
        yield name, admin
