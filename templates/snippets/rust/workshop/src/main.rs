fn main() {
    vectors::drive(&std::env::args().nth(1).unwrap_or_default());
}
