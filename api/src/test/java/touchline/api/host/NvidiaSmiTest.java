package touchline.api.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Answers as {@code nvidia-smi --format=csv,noheader,nounits} writes them. */
final class NvidiaSmiTest {
    @Test
    void twoCards_areRead() {
        HostFacts.Gpus gpus =
                NvidiaSmi.parse(
                        """
                        0, NVIDIA L4, 570.86.15, 23034, 512, 12, 40, 3, 2
                        1, NVIDIA H100 80GB HBM3, 570.86.15, 81559, 1, 0, [N/A], 0, [Not Supported]
                        """);

        assertEquals("", gpus.reason());
        assertEquals(
                List.of(
                        new HostFacts.Gpu(
                                0,
                                "NVIDIA L4",
                                "570.86.15",
                                OptionalLong.of(23_034L << 20),
                                OptionalLong.of(512L << 20),
                                OptionalInt.of(12),
                                OptionalInt.of(40),
                                OptionalInt.of(3),
                                OptionalInt.of(2)),
                        new HostFacts.Gpu(
                                1,
                                "NVIDIA H100 80GB HBM3",
                                "570.86.15",
                                OptionalLong.of(81_559L << 20),
                                OptionalLong.of(1L << 20),
                                OptionalInt.of(0),
                                OptionalInt.empty(),
                                OptionalInt.of(0),
                                OptionalInt.empty())),
                gpus.cards());
    }

    @Test
    void anythingElse_isTheReason() {
        assertEquals(
                "nvidia-smi names no card: No devices were found",
                NvidiaSmi.parse("No devices were found\n").reason());
        assertEquals("nvidia-smi names no card: no answer", NvidiaSmi.parse("").reason());
    }
}
