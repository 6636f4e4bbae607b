//! Every command has examples in its help. It writes plain text to a file, without colours. It does not complain about
//! a reader that has read enough.

use std::process::Stdio;

use crate::support::{Folder, command, commands, floats, printed};

#[test]
fn help_has_examples() {
    for name in commands() {
        let text = printed(&format!("{name} --help"));
        let (_, examples) = text.split_once("\nExamples:\n").expect(&name);
        let lines: Vec<&str> = examples.lines().take_while(|line| !line.is_empty()).collect();
        assert!(!lines.is_empty(), "{name}");
        for line in lines {
            assert!(line.starts_with("  ") && line.contains(&format!("reduce {name}")), "{line}");
            assert!(line.len() <= 100, "{line}");
        }
        // Its manual page has them too, line by line.
        let page = printed(&format!("man {name}"));
        assert!(page.contains(".SH EXAMPLES\n.nf\nreduce "), "{page}");
        assert!(page.contains(".fi\n.SH \"EXIT STATUS\"\n0 if all was done"), "{page}");
    }
}

/// The usage comes behind one line, and what else there is to know behind the options.
#[test]
fn help_begins_with_the_usage() {
    for name in commands() {
        let text = printed(&format!("{name} --help"));
        let mut lines = text.lines();
        let about = lines.next().expect("a line");
        assert!(about.len() <= 100, "{name}: {about}");
        assert_eq!(lines.next(), Some(""), "{name}");
        assert!(
            lines.next().is_some_and(|line| line.starts_with("Usage: reduce")),
            "{name}: {text}"
        );
        let (_, below) = text.split_once("\nExamples:\n").expect("examples");
        assert!(below.lines().all(|line| line.chars().count() <= 100), "{name}: {below}");
    }
    let text = printed("run --help");
    let (above, below) = text.split_once("\nMore:\n").expect("more");
    assert!(
        above.contains("Options:") && below.contains("Results are printed, or written with -o."),
        "{text}"
    );
}

#[test]
fn flags_are_completed() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&format!("completions {shell}"));
        for flag in ["threads", "diff", "json", "skip-nan", "opset"] {
            assert!(script.contains(flag), "{shell}: {flag}");
        }
    }
    assert!(printed("man run").contains("threads") && printed("man explain").contains("diff"));
}

/// Text that is printed to a file or a pipe has no codes for terminals.
#[test]
fn no_colours() {
    let folder = Folder::new("colours");
    let x = folder.file("x.npy", &floats("(2,)", &[1.0, 2.0]));
    let run = format!("run Mean {x}");
    for args in
        ["--help", "run --help", "run --frobnicate", "ops", "explain Mean", "run Mean none", &run]
    {
        for (name, value) in [("NO_COLOR", "1"), ("TERM", "xterm-256color")] {
            let output = command(args).env(name, value).output().expect("the binary starts");
            let is_plain = |text: &[u8]| !text.contains(&0x1b);
            assert!(is_plain(&output.stdout) && is_plain(&output.stderr), "{args}");
        }
    }
}

#[test]
fn readers_may_stop() {
    let folder = Folder::new("readers");
    let x = folder.file("x.npy", &floats("(2,)", &[1.0, 2.0]));
    let run = format!("run Mean,Max {x}");
    for args in [
        "",
        "--help",
        "run --help",
        "ops",
        "ops --json",
        "explain Mean",
        "explain Mean --diff",
        &run,
        "completions bash",
        "man",
        "man run",
        "bench --ops Sum --case x=8:0 --secs 0.01",
    ] {
        let mut child = command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args}");
        assert_eq!(output.status.code(), Some(0), "{args}");
    }
}
