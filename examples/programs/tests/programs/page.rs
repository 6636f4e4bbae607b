//! The page of the package: what it says that programs print, they print.

use super::{binary, run};

const PAGE: &str = include_str!("../../README.md");

#[test]
fn the_page_shows_what_programs_print() {
    let mut commands = 0;
    for block in PAGE.split("```").filter_map(|block| block.strip_prefix("text\n")) {
        let (command, shown) = block.split_once('\n').expect("a command and what it prints");
        let words = command.strip_prefix("$ cargo run --release -p reduce-programs --bin ");
        let words = words.unwrap_or_else(|| panic!("`{command}` runs no program"));
        let (words, file) = words.split_once(" < ").unwrap_or((words, ""));
        let words: Vec<&str> = words.split_whitespace().collect();
        let args = words.get(2..).unwrap_or_default();
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
        let input = if file.is_empty() {
            String::new()
        } else {
            std::fs::read_to_string(root.to_owned() + file).expect(file)
        };
        let (printed, _, _) = run(words[0], args, &input);
        // Times differ, and `..` stands for lines that are left out.
        let is_fixed = |line: &&str| !line.contains(" us ") && *line != "..";
        for line in shown.lines().filter(is_fixed) {
            assert!(
                printed.lines().any(|found| found == line),
                "`{command}` does not print `{line}` but\n{printed}"
            );
        }
        commands += 1;
    }
    assert_eq!(commands, 9, "each program once");
}

#[test]
fn the_page_lists_each_program() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bin");
    for file in std::fs::read_dir(folder).expect(folder) {
        let name = file.expect(folder).file_name().into_string().expect("a name");
        // A program of several files is a folder.
        let (name, path) = match name.strip_suffix(".rs") {
            Some(stem) => (stem, name.clone()),
            None => (name.as_str(), format!("{name}/main.rs")),
        };
        assert!(PAGE.contains(&format!("| [`{name}`](src/bin/{path}) |")), "{name} is not listed");
        assert!(std::path::Path::new(binary(name)).exists(), "{name} was not built");
    }
}
