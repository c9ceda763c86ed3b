package touchline.api.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * NVIDIA's cards, from {@code nvidia-smi}, which is part of the driver. Blocks for a second on a
 * host with cards, not at all on others. Any thread.
 */
public final class NvidiaSmi {
    private static final Path DEVICE = Path.of("/dev/nvidiactl");
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int LONGEST_OUTPUT_BYTES = 16 << 10;
    private static final long MEBIBYTE = 1 << 20;

    private static final String QUERY =
            "--query-gpu=index,name,driver_version,memory.total,memory.used,utilization.gpu,"
                    + "utilization.encoder,utilization.decoder,encoder.stats.sessionCount";

    /** Of the query. */
    private static final int FIELDS = 9;

    private NvidiaSmi() {}

    /** The cards now, or the reason why there are none. */
    public static HostFacts.Gpus cards() {
        if (!Files.exists(DEVICE)) {
            return none(
                    "no NVIDIA card: %s is missing (the driver is not loaded, or the container was"
                                    .formatted(DEVICE)
                            + " started without --gpus)");
        }
        try {
            Process process =
                    new ProcessBuilder("nvidia-smi", QUERY, "--format=csv,noheader,nounits")
                            .redirectErrorStream(true)
                            .start();
            process.getOutputStream().close();
            try {
                if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                    return none("nvidia-smi does not answer within 10 s");
                }
                String text =
                        new String(
                                process.getInputStream().readNBytes(LONGEST_OUTPUT_BYTES),
                                StandardCharsets.UTF_8);
                return process.exitValue() == 0
                        ? parse(text)
                        : none("nvidia-smi failed: " + firstLine(text));
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException _) {
            return none("nvidia-smi is missing: install the driver's tools (nvidia-utils)");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return none("interrupted");
        }
    }

    /** Lines of values separated by commas; what a card does not say is {@code [N/A]}. */
    static HostFacts.Gpus parse(String csv) {
        List<HostFacts.Gpu> cards = new ArrayList<>();
        for (String line : csv.lines().toList()) {
            String[] fields = line.split(",", -1);
            if (fields.length == FIELDS && number(fields[0]).isPresent()) {
                cards.add(
                        new HostFacts.Gpu(
                                number(fields[0]).getAsInt(),
                                fields[1].strip(),
                                fields[2].strip(),
                                bytes(fields[3]),
                                bytes(fields[4]),
                                number(fields[5]),
                                number(fields[6]),
                                number(fields[7]),
                                number(fields[8])));
            }
        }
        return cards.isEmpty()
                ? none("nvidia-smi names no card: " + firstLine(csv))
                : new HostFacts.Gpus(cards, "");
    }

    private static HostFacts.Gpus none(String reason) {
        return new HostFacts.Gpus(List.of(), reason);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("no answer");
    }

    private static OptionalLong bytes(String mebibytes) {
        OptionalInt number = number(mebibytes);
        return number.isPresent()
                ? OptionalLong.of(number.getAsInt() * MEBIBYTE)
                : OptionalLong.empty();
    }

    private static OptionalInt number(String text) {
        String digits = text.strip();
        return digits.matches("\\d{1,9}")
                ? OptionalInt.of(Integer.parseInt(digits))
                : OptionalInt.empty();
    }
}
