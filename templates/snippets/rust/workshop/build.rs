//! Writes the list of the renderings, so that all of them are compiled once, in one crate.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=src");
    let source = env::current_dir()?.join("src");
    let (mut modules, mut arms) = (String::new(), String::new());
    for entry in fs::read_dir(&source)? {
        let folder = entry?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !folder.join("driver.rs").exists() {
            continue;
        }
        writeln!(modules, "pub mod {name} {{").unwrap();
        for module in ["driver", "retry_loop"] {
            let path = folder.join(module).with_extension("rs");
            writeln!(modules, "    #[path = {path:?}]\n    pub mod {module};").unwrap();
        }
        writeln!(modules, "}}").unwrap();
        writeln!(arms, "        {name:?} => {name}::driver::drive(),").unwrap();
    }
    let code = format!("{modules}\npub fn drive(name: &str) {{\n    match name {{\n{arms}        _ => panic!(\"no rendering is called {{name}}\"),\n    }}\n}}\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("renderings.rs"), code)
}
