//! The release binary carries the built web app; a new build of it must make a new binary.

fn main() {
    for folder in ["../data", "../web/dist", "../web/first-view", "seed", "migrations"] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
