package touchline.api.http;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import touchline.api.host.HostFacts;

/** What a host with a graphics card has, with values that are all different. */
final class HostSamples {
    private HostSamples() {}

    static HostFacts facts() {
        return new HostFacts(
                Instant.EPOCH,
                Instant.EPOCH,
                new HostFacts.Cpu(8, OptionalDouble.of(0.25), OptionalDouble.empty()),
                new HostFacts.Memory(
                        1,
                        2,
                        3,
                        4,
                        5,
                        OptionalLong.of(6),
                        OptionalLong.of(7),
                        OptionalLong.empty()),
                Optional.of(
                        new HostFacts.Disk(
                                1_000, 500, OptionalLong.of(20), OptionalDouble.of(24.96))),
                new HostFacts.Gpus(
                        List.of(
                                new HostFacts.Gpu(
                                        0,
                                        "NVIDIA L4",
                                        "570.86.15",
                                        OptionalLong.of(24L << 30),
                                        OptionalLong.empty(),
                                        OptionalInt.of(12),
                                        OptionalInt.of(40),
                                        OptionalInt.empty(),
                                        OptionalInt.of(3))),
                        ""),
                new HostFacts.Encoders(
                        List.of(
                                new HostFacts.Encoder("nvenc", true, "no device"),
                                new HostFacts.Encoder("x264", false, "")),
                        Optional.of("x264"),
                        List.of(
                                new HostFacts.Work("scoreboard", 2, OptionalLong.empty()),
                                new HostFacts.Work("transcoding", 1, OptionalLong.of(1)))),
                new HostFacts.Versions(
                        "development",
                        "25",
                        Optional.of("8.0.1"),
                        Optional.empty(),
                        "Linux 6.12",
                        "H2 2.4"),
                Optional.of(
                        new HostFacts.Certificate(
                                "CN=live.example", Instant.parse("2030-01-01T00:00:00Z"))));
    }
}
