package touchline.benchmarks.failover;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.FlvFile;
import touchline.benchmarks.load.PushMedia;

/**
 * What two encoders make of one match, encoded once per length and kept. Frames of 320x180 carry
 * their number in sixteen cells along the top, each a twentieth of the width, bit 0 leftmost, and
 * the encoder in the cell after the next. Notes begin and end softly, so that no sample of the
 * audio steps, and have nothing above 2 kHz; their order does not come again. Immutable.
 *
 * @param seconds of media
 */
record Encoders(int seconds) {
    static final int FRAMES_PER_SECOND = 30;
    static final int CELLS = 20;

    /** White in the frames of the second encoder. */
    static final int ENCODER_CELL = 17;

    /** The second encoder's content starts later, so that its AAC frames lie between the others. */
    private static final int SECOND_STARTS_WITH = 7;

    /** A number from 0 to 1 for each seventh of a second, none like another. */
    private static final String CHANCE = "mod(abs(sin(12.9898*floor(7*T)+%s)*43758.5453),1)";

    /** Seven times a second a note or none, with ramps of 14 ms. */
    private static final String NOTES =
            "0.4*gt(CHANCE1,0.4)"
                    + "*(0.5-0.5*cos(PI*min(1,10*min(7*T-floor(7*T),1-7*T+floor(7*T)))))"
                    + "*sin(2*PI*(300+900*CHANCE2)*T)";

    /** A source of the audio, without AAC. */
    static String notes(double fromSecond) {
        String time = "(t+%.9f)".formatted(fromSecond);
        String notes =
                NOTES.replace("CHANCE1", CHANCE.formatted("0"))
                        .replace("CHANCE2", CHANCE.formatted("1.7"))
                        .replace("T", time);
        return String.format(Locale.ROOT, "aevalsrc='%s':s=48000", notes);
    }

    /** No B-frames, a key frame every 2 s. */
    PushMedia first() throws IOException, InterruptedException {
        return media("first", 0, "-bf 0 -g 60 -b:v 400k");
    }

    /** B-frames, and key frames at other times. */
    PushMedia second() throws IOException, InterruptedException {
        return media("second", SECOND_STARTS_WITH, "-bf 2 -g 50 -b:v 500k");
    }

    private PushMedia media(String name, int from, String video)
            throws IOException, InterruptedException {
        String cells =
                "16+219*(lt(X,16)*mod(floor((N+%d)/pow(2,X)),2)+eq(X,%d)*%d)"
                        .formatted(from, ENCODER_CELL, from == 0 ? 0 : 1);
        List<String> command =
                new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i"));
        command.add(
                ("nullsrc=size=%dx2:rate=%d,format=gray,geq=lum='%s',"
                                + "scale=320:16:flags=neighbor,format=yuv420p[cells];"
                                + "testsrc2=size=320x164:rate=%d[frames];[cells][frames]vstack")
                        .formatted(CELLS, FRAMES_PER_SECOND, cells, FRAMES_PER_SECOND));
        command.addAll(List.of("-f", "lavfi", "-i", notes((double) from / FRAMES_PER_SECOND)));
        command.addAll(
                Command.words(
                        "-t %d -c:v libx264 -preset ultrafast -pix_fmt yuv420p -sc_threshold 0"
                                + " %s -c:a aac -b:a 128k -ac 1 -f flv",
                        seconds, video));
        Path file =
                Command.file(
                        "touchline-bench-failover-%s-%ds.flv".formatted(name, seconds), command);
        return PushMedia.of(FlvFile.read(file), /* loops= */ 1);
    }
}
