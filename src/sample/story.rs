//! What happens to one customer in one month, scene by scene.

use super::{CONTROLLER, Line, PROTAGONIST};

/// One event of the story.
pub(super) struct Scene {
    /// Which part of the month has passed, in thousandths.
    pub(super) permille: u16,
    operation: &'static str,
    outcome: &'static str,
    resource: &'static str,
    /// The system, who acted in it, and as what.
    who: (&'static str, &'static str, &'static str),
    /// The purpose and the lawful basis, empty if there was none.
    why: (&'static str, &'static str),
    /// Fields that few scenes have.
    more: &'static [(&'static str, &'static str)],
    categories: &'static str,
    payload: &'static str,
    /// Who else is named.
    others: &'static [&'static str],
}

impl Scene {
    pub(super) fn write(&self, line: Line) -> Line {
        let (source, actor, role) = self.who;
        let line = line.texts(&[("operation", self.operation), ("outcome", self.outcome)]);
        let line = match self.others {
            [] => line.text("data_subject", PROTAGONIST),
            others => {
                let names: Vec<&str> = [PROTAGONIST].iter().chain(others).copied().collect();
                line.raw("data_subjects", &serde_json::Value::from(names).to_string())
            }
        };
        let line = line
            .text("resource", self.resource)
            .raw("data_categories", self.categories)
            .texts(&[("source", source), ("actor", actor), ("actor_role", role)])
            .text("controller", CONTROLLER)
            .texts(self.more)
            .text("purpose", self.why.0);
        let line = match self.why.1 {
            "" => line,
            basis => line.text("lawful_basis", basis),
        };
        line.raw("payload", self.payload)
    }
}

/// A scene that went well; whatever differs is said by name.
const QUIET: Scene = Scene {
    permille: 0,
    operation: "read",
    outcome: "success",
    resource: "",
    who: ("", "", ""),
    why: ("", ""),
    more: &[],
    categories: r#"["contact"]"#,
    payload: "{}",
    others: &[],
};

/// Those who were in the same misdirected file.
const IN_THE_SAME_FILE: &[&str] = &["customer-0007", "customer-0119"];
const OFFICER: (&str, &str, &str) = ("crm", "i.moreau", "data protection officer");
const OFFICER_AT_SUPPORT: (&str, &str, &str) = ("support", "i.moreau", "data protection officer");
const RIGHTS: (&str, &str) = ("rights of the data subject", "legal_obligation");
const SECURITY: (&str, &str) = ("security of processing", "legal_obligation");

/// The story, in order of time.
pub(super) const SCENES: [Scene; 26] = [
    Scene {
        permille: 10,
        operation: "create",
        resource: "shop/accounts/0042",
        who: ("shop", PROTAGONIST, "customer"),
        why: ("customer account", "contract"),
        payload: r#"{"fields":["name","email","postal_address"],"ip":"192.0.2.42"}"#,
        ..QUIET
    },
    Scene {
        permille: 14,
        operation: "consent.given",
        resource: "newsletter/subscriptions/0042",
        who: ("newsletter", PROTAGONIST, "customer"),
        why: ("newsletter", "consent"),
        payload: r#"{"wording":"2026-03","double_opt_in":true,"article":"6(1)(a)"}"#,
        ..QUIET
    },
    Scene {
        permille: 50,
        operation: "create",
        resource: "shop/orders/20817",
        who: ("shop", PROTAGONIST, "customer"),
        why: ("order fulfilment", "contract"),
        categories: r#"["contact","purchase"]"#,
        payload: r#"{"items":3,"total":"84.70","currency":"EUR"}"#,
        ..QUIET
    },
    Scene {
        permille: 55,
        operation: "create",
        resource: "billing/invoices/2026-3391",
        who: ("billing", "billing-job", "service"),
        why: ("invoicing", "legal_obligation"),
        categories: r#"["contact","payment"]"#,
        payload: r#"{"order":20817,"total":84.70}"#,
        ..QUIET
    },
    Scene {
        permille: 60,
        operation: "disclose",
        resource: "shop/orders/20817/address",
        who: ("shop", "shipping-job", "service"),
        why: ("delivery", "contract"),
        more: &[("recipient", "Blue Pigeon Parcels")],
        payload: r#"{"fields":["name","postal_address"],"parcel":"BP-771204"}"#,
        ..QUIET
    },
    Scene {
        permille: 160,
        operation: "create",
        resource: "support/tickets/5120",
        who: ("support", PROTAGONIST, "customer"),
        why: ("customer support", "contract"),
        payload: r#"{"subject":"one glass arrived broken","channel":"web"}"#,
        ..QUIET
    },
    Scene {
        permille: 165,
        resource: "crm/customers/0042/profile",
        who: ("crm", "n.haddad", "support"),
        why: ("customer support", "contract"),
        payload: r#"{"ticket":5120,"fields":["name","email","orders"]}"#,
        ..QUIET
    },
    Scene {
        permille: 170,
        operation: "update",
        resource: "support/tickets/5120",
        who: ("support", "n.haddad", "support"),
        why: ("customer support", "contract"),
        payload: r#"{"state":"solved","note":"replacement sent, with regards to Zoë"}"#,
        ..QUIET
    },
    Scene {
        permille: 300,
        outcome: "denied",
        resource: "billing/customers/0042/payments",
        who: ("billing", "t.brandt", "sales"),
        why: ("not given", ""),
        categories: r#"["payment"]"#,
        payload: r#"{"rule":"sales may not read payments","ip":"192.0.2.17"}"#,
        ..QUIET
    },
    Scene {
        permille: 303,
        outcome: "denied",
        resource: "billing/customers/0042/payments",
        who: ("billing", "t.brandt", "sales"),
        why: ("not given", ""),
        categories: r#"["payment"]"#,
        payload: r#"{"rule":"sales may not read payments","ip":"192.0.2.17","attempt":2}"#,
        ..QUIET
    },
    Scene {
        permille: 330,
        operation: "review",
        resource: "access-reviews/88",
        who: OFFICER,
        why: SECURITY,
        categories: r#"["access log"]"#,
        payload: r#"{"finding":"denied twice, curiosity admitted","measure":"training"}"#,
        ..QUIET
    },
    Scene {
        permille: 420,
        operation: "disclose",
        resource: "crm/exports/fair-invitations.csv",
        who: ("crm", "t.brandt", "sales"),
        why: ("invitation to the spring fair", "legitimate_interests"),
        more: &[
            ("processor", "Quill Mailing House"),
            ("recipient", "Quill Mailing Hause"),
        ],
        payload: r#"{"rows":3,"to":"mistyped address, outside the company"}"#,
        others: IN_THE_SAME_FILE,
        ..QUIET
    },
    Scene {
        permille: 424,
        operation: "breach.detected",
        resource: "incidents/4",
        who: OFFICER,
        why: SECURITY,
        payload: r#"{"article":"33","what":"mail to a wrong recipient","persons":3}"#,
        others: IN_THE_SAME_FILE,
        ..QUIET
    },
    Scene {
        permille: 450,
        operation: "breach.notified",
        resource: "incidents/4/notification",
        who: OFFICER,
        why: SECURITY,
        more: &[("recipient", "supervisory authority")],
        payload: r#"{"article":"33(1)","hours_after_detection":19}"#,
        others: IN_THE_SAME_FILE,
        ..QUIET
    },
    Scene {
        permille: 455,
        operation: "breach.notified",
        resource: "incidents/4/letter",
        who: OFFICER,
        why: SECURITY,
        more: &[("recipient", PROTAGONIST)],
        payload: r#"{"article":"34","language":"en"}"#,
        ..QUIET
    },
    Scene {
        permille: 520,
        operation: "access.requested",
        resource: "requests/31",
        who: ("support", PROTAGONIST, "customer"),
        why: RIGHTS,
        payload: r#"{"article":"15","channel":"letter","due_in_days":30}"#,
        ..QUIET
    },
    Scene {
        permille: 530,
        operation: "identity.verified",
        resource: "requests/31",
        who: OFFICER_AT_SUPPORT,
        why: RIGHTS,
        categories: r#"["contact","identity document"]"#,
        payload: r#"{"article":"12(6)","method":"code sent to the postal address"}"#,
        ..QUIET
    },
    Scene {
        permille: 590,
        operation: "access.fulfilled",
        resource: "requests/31/copy.zip",
        who: OFFICER_AT_SUPPORT,
        why: RIGHTS,
        more: &[("recipient", PROTAGONIST)],
        categories: r#"["contact","purchase","payment","access log"]"#,
        payload: r#"{"article":"15(3)","days_after_request":2}"#,
        ..QUIET
    },
    Scene {
        permille: 660,
        operation: "consent.withdrawn",
        resource: "newsletter/subscriptions/0042",
        who: ("newsletter", PROTAGONIST, "customer"),
        why: ("newsletter", "consent"),
        payload: r#"{"article":"7(3)","channel":"link in the newsletter"}"#,
        ..QUIET
    },
    Scene {
        permille: 662,
        operation: "delete",
        resource: "newsletter/subscriptions/0042",
        who: ("newsletter", "consent-job", "service"),
        why: ("newsletter", "consent"),
        more: &[("processor", "Quill Mailing House")],
        payload: r#"{"seconds_after_withdrawal":41}"#,
        ..QUIET
    },
    Scene {
        permille: 700,
        operation: "send",
        outcome: "failed",
        resource: "newsletter/issues/2026-05",
        who: ("newsletter", "newsletter-job", "service"),
        why: ("newsletter", ""),
        more: &[("processor", "Quill Mailing House")],
        payload: r#"{"reason":"consent withdrawn, stopped before sending"}"#,
        ..QUIET
    },
    Scene {
        permille: 780,
        operation: "erasure.requested",
        resource: "requests/34",
        who: ("support", PROTAGONIST, "customer"),
        why: RIGHTS,
        payload: r#"{"article":"17(1)(b)","channel":"web"}"#,
        ..QUIET
    },
    Scene {
        permille: 800,
        operation: "erasure.refused",
        outcome: "denied",
        resource: "billing/invoices/2026-3391",
        who: ("billing", "i.moreau", "data protection officer"),
        why: ("tax records", "legal_obligation"),
        categories: r#"["payment"]"#,
        payload: r#"{"article":"17(3)(b)","kept_until":"2036-12-31"}"#,
        ..QUIET
    },
    Scene {
        permille: 815,
        operation: "delete",
        resource: "crm/customers/0042/profile",
        who: ("crm", "erasure-job", "service"),
        why: RIGHTS,
        payload: r#"{"article":"17(1)","fields":["email","telephone","notes"]}"#,
        ..QUIET
    },
    Scene {
        permille: 830,
        operation: "notify",
        resource: "requests/34/notice",
        who: ("crm", "erasure-job", "service"),
        why: RIGHTS,
        more: &[("recipient", "Quill Mailing House")],
        payload: r#"{"article":"19"}"#,
        ..QUIET
    },
    Scene {
        permille: 840,
        operation: "erasure.answered",
        resource: "requests/34/letter",
        who: OFFICER_AT_SUPPORT,
        why: RIGHTS,
        more: &[("recipient", PROTAGONIST)],
        payload: r#"{"article":"12(3)","erased":["newsletter","profile"],"kept":["invoices"]}"#,
        ..QUIET
    },
];
