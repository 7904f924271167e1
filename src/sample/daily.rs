//! What happens every day: the events around the story.

use super::{CONTROLLER, Line, Random};

const SUPPORT: [&str; 3] = ["n.haddad", "j.kowalczyk", "s.oyelaran"];
const SALES: [&str; 3] = ["t.brandt", "m.silva", "e.varga"];
const BILLING: [&str; 2] = ["k.nakamura", "p.lindqvist"];
const MARKETING: &str = "a.rossi";
const OFFICER: &str = "i.moreau";

/// Writes one event of an ordinary day.
pub(super) fn write(line: Line, random: &mut Random) -> Line {
    // Each kind as often as its weight says, of a hundred.
    match random.below(100) {
        0..24 => profile_read(line, random),
        24..36 => ticket(line, random),
        36..52 => order(line, random),
        52..62 => invoice(line, random),
        62..70 => delivery(line, random),
        70..78 => contact_update(line, random),
        78..86 => sign_in(line, random),
        86..91 => newsletter(line, random),
        91..94 => consent(line, random),
        94..97 => payment_read(line, random),
        97..99 => refused(line, random),
        _ => request(line, random),
    }
}

fn profile_read(line: Line, random: &mut Random) -> Line {
    let customer = random.customer();
    let (actor, role, purpose) = match random.below(3) {
        0 => (random.pick(&SALES), "sales", "quotation"),
        _ => (random.pick(&SUPPORT), "support", "customer support"),
    };
    let (fields, millis) = (random.pick(&FIELDS), random.below(180) + 3);
    line.texts(&[
        ("operation", "read"),
        ("data_subject", &customer),
        (
            "resource",
            &format!("crm/customers/{}/profile", number(&customer)),
        ),
    ])
    .raw("data_categories", r#"["contact"]"#)
    .texts(&[
        ("source", "crm"),
        ("actor", actor),
        ("actor_role", role),
        ("purpose", purpose),
        ("lawful_basis", "contract"),
    ])
    .raw(
        "payload",
        &format!(r#"{{"fields":{fields},"millis":{millis}}}"#),
    )
}

const FIELDS: [&str; 4] = [
    r#"["name","email"]"#,
    r#"["name","email","telephone"]"#,
    r#"["name","postal_address"]"#,
    r#"["name","orders"]"#,
];

fn ticket(line: Line, random: &mut Random) -> Line {
    let customer = random.customer();
    let ticket = 4000 + random.below(3000);
    let opened = random.below(2) == 0;
    let (operation, actor, role) = match opened {
        true => ("create", customer.as_str(), "customer"),
        false => ("update", random.pick(&SUPPORT), "support"),
    };
    let state = if opened {
        "open"
    } else {
        random.pick(&["waiting", "solved"])
    };
    line.texts(&[
        ("operation", operation),
        ("data_subject", &customer),
        ("resource", &format!("support/tickets/{ticket}")),
    ])
    .raw("data_categories", r#"["contact"]"#)
    .texts(&[
        ("source", "support"),
        ("actor", actor),
        ("actor_role", role),
        ("purpose", "customer support"),
        ("lawful_basis", "contract"),
    ])
    .raw(
        "payload",
        &format!(r#"{{"state":"{state}","channel":"web"}}"#),
    )
}

fn order(line: Line, random: &mut Random) -> Line {
    let customer = random.customer();
    let (order, cents) = (20_000 + random.below(9000), 500 + random.below(25_000));
    let (total, items) = (amount(cents), random.below(6) + 1);
    line.texts(&[
        ("operation", "create"),
        ("data_subject", &customer),
        ("resource", &format!("shop/orders/{order}")),
    ])
    .raw("data_categories", r#"["contact","purchase"]"#)
    .texts(&[
        ("source", "shop"),
        ("actor", &customer),
        ("actor_role", "customer"),
        ("controller", CONTROLLER),
        ("purpose", "order fulfilment"),
        ("lawful_basis", "contract"),
    ])
    .raw(
        "payload",
        &format!(r#"{{"items":{items},"total":{total},"currency":"EUR"}}"#),
    )
}

fn invoice(line: Line, random: &mut Random) -> Line {
    let customer = random.customer();
    let (invoice, total) = (
        1000 + random.below(9000),
        amount(500 + random.below(25_000)),
    );
    line.texts(&[
        ("operation", "create"),
        ("data_subject", &customer),
        ("resource", &format!("billing/invoices/{invoice}")),
    ])
    .raw("data_categories", r#"["contact","payment"]"#)
    .texts(&[
        ("source", "billing"),
        ("actor", "billing-job"),
        ("actor_role", "service"),
        ("purpose", "invoicing"),
        ("lawful_basis", "legal_obligation"),
    ])
    .raw(
        "payload",
        &format!(r#"{{"total":{total},"keep_years":10}}"#),
    )
}

fn delivery(line: Line, random: &mut Random) -> Line {
    let customer = random.customer();
    let parcel = 700_000 + random.below(99_999);
    line.texts(&[("operation", "disclose"), ("data_subject", &customer)])
        .raw("data_categories", r#"["contact"]"#)
        .texts(&[
            ("source", "shop"),
            ("actor", "shipping-job"),
            ("actor_role", "service"),
            ("recipient", "Blue Pigeon Parcels"),
            ("purpose", "delivery"),
            ("lawful_basis", "contract"),
        ])
        .raw("payload", &format!(r#"{{"parcel":"BP-{parcel}"}}"#))
}

fn contact_update(line: Line, random: &mut Random) -> Line {
    let customer = random.customer();
    let (actor, role) = match random.below(2) {
        0 => (customer.as_str(), "customer"),
        _ => (random.pick(&SUPPORT), "support"),
    };
    let field = random.pick(&["email", "telephone", "postal_address"]);
    line.texts(&[
        ("operation", "update"),
        ("data_subject", &customer),
        (
            "resource",
            &format!("crm/customers/{}/{field}", number(&customer)),
        ),
    ])
    .raw("data_categories", r#"["contact"]"#)
    .texts(&[
        ("source", "crm"),
        ("actor", actor),
        ("actor_role", role),
        ("purpose", "accuracy of data"),
        ("lawful_basis", "contract"),
    ])
}

fn sign_in(line: Line, random: &mut Random) -> Line {
    let customer = random.customer();
    let outcome = if random.below(12) == 0 {
        "failed"
    } else {
        "success"
    };
    let host = random.below(254) + 1;
    line.texts(&[
        ("operation", "sign-in"),
        ("outcome", outcome),
        ("data_subject", &customer),
        ("source", "shop"),
        ("actor", &customer),
        ("actor_role", "customer"),
        ("purpose", "customer account"),
        ("lawful_basis", "contract"),
    ])
    .raw("payload", &format!(r#"{{"ip":"198.51.100.{host}"}}"#))
}

fn newsletter(line: Line, random: &mut Random) -> Line {
    let issue = random.below(4) + 1;
    let readers: Vec<String> = (0..random.below(7) + 2)
        .map(|_| random.customer())
        .collect();
    line.text("operation", "send")
        .raw(
            "data_subjects",
            &serde_json::Value::from(readers).to_string(),
        )
        .raw("data_categories", r#"["contact"]"#)
        .texts(&[
            ("resource", &format!("newsletter/issues/{issue}")),
            ("source", "newsletter"),
            ("actor", MARKETING),
            ("actor_role", "marketing"),
            ("controller", CONTROLLER),
            ("processor", "Quill Mailing House"),
            ("purpose", "newsletter"),
            ("lawful_basis", "consent"),
        ])
}

fn consent(line: Line, random: &mut Random) -> Line {
    let customer = random.customer();
    line.texts(&[
        (
            "operation",
            random.pick(&["consent.given", "consent.given", "consent.withdrawn"]),
        ),
        ("data_subject", &customer),
        ("source", "newsletter"),
        ("actor", &customer),
        ("actor_role", "customer"),
        ("purpose", "newsletter"),
        ("lawful_basis", "consent"),
    ])
    .raw("payload", r#"{"wording":"2026-03"}"#)
}

fn payment_read(line: Line, random: &mut Random) -> Line {
    let customer = random.customer();
    line.texts(&[
        ("operation", "read"),
        ("data_subject", &customer),
        (
            "resource",
            &format!("billing/customers/{}/payments", number(&customer)),
        ),
    ])
    .raw("data_categories", r#"["payment"]"#)
    .texts(&[
        ("source", "billing"),
        ("actor", random.pick(&BILLING)),
        ("actor_role", "billing"),
        ("purpose", "dunning"),
        ("lawful_basis", "contract"),
    ])
}

fn refused(line: Line, random: &mut Random) -> Line {
    let customer = random.customer();
    line.texts(&[
        ("operation", "read"),
        ("outcome", "denied"),
        ("data_subject", &customer),
        (
            "resource",
            &format!("billing/customers/{}/payments", number(&customer)),
        ),
        ("source", "billing"),
        ("actor", random.pick(&SALES)),
        ("actor_role", "sales"),
    ])
    .raw("payload", r#"{"rule":"sales may not read payments"}"#)
}

fn request(line: Line, random: &mut Random) -> Line {
    let customer = random.customer();
    let number = 100 + random.below(400);
    line.texts(&[
        (
            "operation",
            random.pick(&["access.requested", "access.fulfilled", "rectified"]),
        ),
        ("data_subject", &customer),
        ("resource", &format!("requests/{number}")),
        ("source", "support"),
        ("actor", OFFICER),
        ("actor_role", "data protection officer"),
        ("purpose", "rights of the data subject"),
        ("lawful_basis", "legal_obligation"),
    ])
}

/// The digits of a customer's id.
fn number(customer: &str) -> &str {
    customer.rsplit('-').next().unwrap_or(customer)
}

/// Cents as a decimal number, two digits always: whoever rounds it in between is found out.
fn amount(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
