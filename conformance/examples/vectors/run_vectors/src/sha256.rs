//! SHA-256 (FIPS 180-4), which the standard library does not have.

/// The digest of some bytes as hexadecimal digits.
pub fn sha256(data: &[u8]) -> String {
    let mut state = first_bits(&primes(8), |p| p.sqrt());
    let constants = first_bits(&primes(64), |p| p.cbrt());
    let mut padded = data.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8 + 63) / 64 * 64 - 8, 0);
    padded.extend((data.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        compress(&mut state, block, &constants);
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

fn primes(count: usize) -> Vec<u32> {
    (2..).filter(|n| (2..*n).all(|d| n % d != 0)).take(count).collect()
}

/// The first 32 bits of the fractions of the roots of primes.
fn first_bits(primes: &[u32], root: fn(f64) -> f64) -> Vec<u32> {
    primes
        .iter()
        .map(|p| (root(f64::from(*p)).fract() * 4_294_967_296.0) as u32)
        .collect()
}

fn compress(state: &mut [u32], block: &[u8], constants: &[u32]) {
    let mut w: Vec<u32> = block
        .chunks(4)
        .map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    for i in 16..64 {
        let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
        let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
        w.push(w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1));
    }
    let mut v = state.to_vec();
    for i in 0..64 {
        let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
        let choice = (v[4] & v[5]) ^ (!v[4] & v[6]);
        let t1 = [s1, choice, constants[i], w[i]]
            .iter()
            .fold(v[7], |sum, n| sum.wrapping_add(*n));
        let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
        let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        v.rotate_right(1);
        v[4] = v[4].wrapping_add(t1);
        v[0] = t1.wrapping_add(s0).wrapping_add(majority);
    }
    for (old, new) in state.iter_mut().zip(v) {
        *old = old.wrapping_add(new);
    }
}
