package touchline.api.host;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a host has, at one moment. Immutable.
 *
 * @param startedAt start of the server
 * @param disk of the data folder; empty where it cannot be read
 * @param certificate empty without TLS
 */
public record HostFacts(
        Instant measuredAt,
        Instant startedAt,
        Cpu cpu,
        Memory memory,
        Optional<Disk> disk,
        Gpus gpus,
        Encoders encoders,
        Versions versions,
        Optional<Certificate> certificate) {
    /**
     * Processors. Loads are shares of all of them, 0 to 1; empty before the first measurement.
     *
     * @param load of the host, or of the container
     * @param processLoad of the server's process alone
     */
    public record Cpu(int count, OptionalDouble load, OptionalDouble processLoad) {}

    /**
     * Memory, in bytes.
     *
     * @param direct buffers outside the heap, of the JDK
     * @param media packaged media outside the heap
     * @param resident of the process in RAM
     * @param hostTotal of the host, or the limit of the container
     */
    public record Memory(
            long heapUsed,
            long heapCommitted,
            long heapMax,
            long direct,
            long media,
            OptionalLong resident,
            OptionalLong hostTotal,
            OptionalLong hostAvailable) {}

    /**
     * A disk, in bytes.
     *
     * @param growthPerDay by which the used space has grown lately; empty where it does not grow
     * @param daysLeft until recording stops (storage.min-free) if it goes on like that
     */
    public record Disk(long size, long free, OptionalLong growthPerDay, OptionalDouble daysLeft) {}

    /**
     * Graphics cards.
     *
     * @param reason why there is none; empty where there is one
     */
    public record Gpus(List<Gpu> cards, String reason) {
        public Gpus {
            cards = List.copyOf(cards);
        }
    }

    /**
     * A graphics card. Loads are percent; empty where the card does not say it.
     *
     * @param encoderLoad of NVENC
     * @param decoderLoad of NVDEC
     * @param encoderSessions open NVENC sessions of all processes
     */
    public record Gpu(
            int index,
            String name,
            String driver,
            OptionalLong memoryTotalBytes,
            OptionalLong memoryUsedBytes,
            OptionalInt load,
            OptionalInt encoderLoad,
            OptionalInt decoderLoad,
            OptionalInt encoderSessions) {}

    /**
     * Video encoders.
     *
     * @param h264 best first; empty before they are tested
     * @param selected the one in use by configuration; empty where it cannot be used
     * @param work what encodes now
     */
    public record Encoders(List<Encoder> h264, Optional<String> selected, List<Work> work) {
        public Encoders {
            h264 = List.copyOf(h264);
            work = List.copyOf(work);
        }
    }

    /**
     * An encoder.
     *
     * @param name as in {@code encoder.video}
     * @param reason why it cannot be used; empty if it can
     */
    public record Encoder(String name, boolean hardware, String reason) {}

    /**
     * A kind of work that encodes.
     *
     * @param limit how many may run at the same time; empty without a limit
     */
    public record Work(String kind, long running, OptionalLong limit) {}

    /** Versions of what runs; empty where it is not loaded. */
    public record Versions(
            String touchline,
            String java,
            Optional<String> ffmpeg,
            Optional<String> pytorch,
            String os,
            String database) {}

    /** The certificate of the listeners. */
    public record Certificate(String subject, Instant notAfter) {}
}
