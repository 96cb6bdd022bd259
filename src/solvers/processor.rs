//! The features of the processor that kernels make use of.

/// Returns the architecture that the program is compiled for, then the features of the processor on which its speed depends.
///
/// First come those that the build takes for granted, then those that kernels look for when they run: with AVX2 or AVX-512
/// they use wider vectors. Values do not depend on either.
///
/// ```
/// let found = cgsolvers::processor_features();
/// assert_eq!(found[0].replace('-', "_"), std::env::consts::ARCH);
/// ```
pub fn processor_features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        let mut features = vec!["x86-64"];
        macro_rules! found {
            ($($feature:tt),+) => {
                $(if is_x86_feature_detected!($feature) {
                    features.push($feature);
                })+
            };
        }
        if cfg!(target_feature = "sse4.2") {
            features.push("sse4.2");
        }
        if cfg!(target_feature = "popcnt") {
            features.push("popcnt");
        }
        found!(
            "avx2",
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512dq",
            "avx512vbmi2",
            "avx512vpopcntdq"
        );
        features
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        vec![std::env::consts::ARCH]
    }
}

#[cfg(test)]
mod tests {
    /// The features that the kernels look for.
    const LOOKED_FOR: [&str; 3] = [
        include_str!("heaps/vectors.rs"),
        include_str!("tchoukaillon/lengths/lanes.rs"),
        include_str!("tchoukaillon/reconstruct/lanes.rs"),
    ];

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_features_that_kernels_look_for_are_listed() {
        let list = include_str!("processor.rs");
        let (_, list) = list.split_once("found!(\n").expect("the list");
        let (list, _) = list.split_once(");").expect("its end");
        let mut looked_for = 0;
        for source in LOOKED_FOR {
            for rest in source.split("is_x86_feature_detected!(").skip(1) {
                let (feature, _) = rest.split_once(')').expect("a feature");
                assert!(list.contains(feature), "{feature}");
                looked_for += 1;
            }
        }
        assert!(looked_for >= 10, "{looked_for}");
    }
}
