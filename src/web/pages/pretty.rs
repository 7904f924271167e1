//! JSON with line breaks and indents, otherwise to the letter: no number is read, no key moved.

/// Sets a JSON text out over lines. What is not JSON comes out in some form, never as an error.
pub fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut chars = json.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                out.push(c);
                copy_string(&mut chars, &mut out);
            }
            '{' | '[' => {
                out.push(c);
                while chars.next_if(|c| c.is_ascii_whitespace()).is_some() {}
                match chars.next_if(|c| matches!(c, '}' | ']')) {
                    Some(end) => out.push(end),
                    None => {
                        depth += 1;
                        new_line(&mut out, depth);
                    }
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

/// A string to its end, escapes and all; a quote behind a backslash does not end it.
fn copy_string(chars: &mut impl Iterator<Item = char>, out: &mut String) {
    while let Some(c) = chars.next() {
        out.push(c);
        match c {
            '"' => return,
            '\\' => out.extend(chars.next()),
            _ => {}
        }
    }
}

/// Two spaces a level.
fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    (0..depth).for_each(|_| out.push_str("  "));
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn only_white_space_outside_strings_changes() {
        let json = r#"{"b":1.00,"a":[ ] ,"s":"x, {y}: \"z\" \\","n":[1e400,{"k":{}}]}"#;
        let expected = "{\n  \"b\": 1.00,\n  \"a\": [],\n  \"s\": \"x, {y}: \\\"z\\\" \\\\\",\n  \"n\": [\n    1e400,\n    {\n      \"k\": {}\n    }\n  ]\n}";
        assert_eq!(pretty(json), expected);
    }
}
