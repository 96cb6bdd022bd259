//! Portable kernels, compiled for several vector extensions.
//!
//! A kernel is a plain function on arrays that the compiler turns into vector instructions.
//! [`with_widest_vectors!`] compiles it three times, for AVX-512, for AVX2 and for the target's
//! baseline, and runs the widest that the processor supports. There are no intrinsics.

/// The vector extensions for which kernels are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Vectors {
    /// The vectors of every processor of the target.
    Baseline,
    /// 256 bits: AVX2.
    Avx2,
    /// 512 bits: AVX-512 F, BW, VL, DQ, VBMI2 and VPOPCNTDQ.
    Avx512,
}

impl Vectors {
    /// Returns the widest vectors of the processor. The standard library caches the detection.
    pub(crate) fn widest() -> Vectors {
        #[cfg(target_arch = "x86_64")]
        {
            let wide = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("avx512vpopcntdq");
            if wide {
                return Vectors::Avx512.min(Vectors::most());
            }
            if is_x86_feature_detected!("avx2") {
                return Vectors::Avx2.min(Vectors::most());
            }
        }
        Vectors::Baseline
    }

    /// Returns the widest vectors that may be used.
    #[cfg(not(test))]
    fn most() -> Vectors {
        Vectors::Avx512
    }

    #[cfg(test)]
    fn most() -> Vectors {
        MOST.get()
    }

    /// Runs a test on this thread with each kind of vectors of the processor.
    #[cfg(test)]
    pub(crate) fn each(mut test: impl FnMut()) {
        for most in [Vectors::Baseline, Vectors::Avx2, Vectors::Avx512] {
            MOST.set(most);
            if Vectors::widest() == most {
                test();
            }
        }
        MOST.set(Vectors::Avx512);
    }
}

#[cfg(test)]
thread_local! {
    static MOST: std::cell::Cell<Vectors> = const { std::cell::Cell::new(Vectors::Avx512) };
}

/// Defines a function that runs a kernel with the widest vectors of the processor. The kernel must
/// be `#[inline(always)]`, so that it is compiled separately for each kind. A second kernel, after
/// `or`, is used without AVX-512.
macro_rules! with_widest_vectors {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $kernel:expr;
    ) => {
        $crate::heaps::vectors::with_widest_vectors! {
            $(#[$attribute])*
            $visibility fn $name($($argument: $type),*) $(-> $result)? = $kernel, or $kernel;
        }
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?
            = $wide:expr, or $narrow:expr;
    ) => {
        $(#[$attribute])*
        $visibility fn $name($($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                use $crate::heaps::vectors::Vectors;

                #[target_feature(
                    enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2,avx512vpopcntdq"
                )]
                fn avx512($($argument: $type),*) $(-> $result)? {
                    $wide($($argument),*)
                }

                #[target_feature(enable = "avx2")]
                fn avx2($($argument: $type),*) $(-> $result)? {
                    $narrow($($argument),*)
                }

                match Vectors::widest() {
                    // SAFETY: `widest` has detected that the processor has all of these features.
                    Vectors::Avx512 => return unsafe { avx512($($argument),*) },
                    // SAFETY: the same.
                    Vectors::Avx2 => return unsafe { avx2($($argument),*) },
                    Vectors::Baseline => {}
                }
            }
            $narrow($($argument),*)
        }
    };
}
pub(crate) use with_widest_vectors;
