include!(concat!(env!("OUT_DIR"), "/renderings.rs"));
