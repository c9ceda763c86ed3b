package touchline.testing.fuzz;

import java.util.List;

/**
 * A parser of bytes from outside, and what must hold for each input. A target lies beside the
 * parser that it tests; {@code META-INF/services} names it. One thread.
 */
public interface FuzzTarget {

    /** The name for people, such as {@code amf}. */
    String name();

    /** Valid inputs of at most a few KiB. All mutations begin with them. */
    List<byte[]> seeds();

    /**
     * Parses one input and checks the result. Catches what the parser may throw; everything else is
     * a finding.
     *
     * @throws Exception a finding, like every other throwable
     */
    void read(byte[] input) throws Exception;

    /** Maximum size of a generated input. */
    default int maxBytes() {
        return 2_048;
    }

    /** Maximum of bytes that reading an input may allocate, the hooks of Jazzer included. */
    default long maxAllocatedBytes(int inputBytes) {
        return (1L << 20) + 4_096L * inputBytes;
    }
}
