package touchline.benchmarks.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.Command;

/** Decodes media to their end by ffmpeg. Stateless. */
final class Decoder {
    /**
     * Without the threshold, ffmpeg closes a jump of more than ten seconds at a discontinuity by
     * decode times: frames that are shown later than they are decoded then overlap with those of
     * before.
     */
    private static final List<String> FFMPEG =
            Command.words("ffmpeg -v error -dts_delta_threshold 100000");

    private Decoder() {}

    /**
     * @param input address or file
     * @param options of the input
     * @return what the decoder says; empty if it has no complaint
     */
    static String complaint(Object input, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(FFMPEG);
        command.addAll(List.of(options));
        command.addAll(List.of("-i", input.toString(), "-f", "null", "-"));
        Command.Result decoded = Command.run(command);
        return decoded.exit() == 0
                ? decoded.errors()
                : "exit code %d: %s".formatted(decoded.exit(), decoded.errors());
    }
}
