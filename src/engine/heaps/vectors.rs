//! Portable kernels, compiled for the vectors that the processor has.
//!
//! A kernel is a plain function on arrays that the compiler turns into vector instructions. [`with_widest_vectors!`] compiles
//! it three times, for AVX-512, for AVX2 and for the least that the target has, and runs the widest. There are no intrinsics.

/// The vectors that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Vectors {
    /// Those of every processor of the target.
    Baseline,
    /// 256 bits: AVX2.
    Avx2,
    /// 512 bits: AVX-512 F, BW, VL, DQ, VBMI2 and VPOPCNTDQ.
    Avx512,
}

impl Vectors {
    /// Returns the widest vectors that the processor has. Detection is cached by the standard library.
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

    /// Runs a test on this thread with each kind of vectors that the processor has.
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

/// Defines a function that runs a kernel with the widest vectors of the processor. The kernel must be `#[inline(always)]`, so
/// that it is compiled anew for each kind. A second kernel, after `or`, is used where there is no AVX-512.
macro_rules! with_widest_vectors {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $kernel:expr;
    ) => {
        $crate::engine::heaps::vectors::with_widest_vectors! {
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
                use $crate::engine::heaps::vectors::Vectors;

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
                    // SAFETY: `widest` has found that the processor has all of these features.
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
