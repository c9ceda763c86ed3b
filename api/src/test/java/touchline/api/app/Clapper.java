package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Four seconds in which video and audio change together: black and silent, from second 1 on white
 * and a tone, black and silent from 2 on, white and a tone from 3 on.
 */
final class Clapper {
    private static final String FRAMES =
            "color=black:s=320x180:r=25:d=4,"
                    + "drawbox=color=white:t=fill:enable='gte(mod(t,2),0.99)'";
    private static final String AUDIO =
            "aevalsrc='if(gte(mod(t,2),1),0.5*sin(2*PI*1000*t),0)':s=48000:d=4";

    /** Black ends with a frame, silence within a frame of AAC. */
    private static final Pattern LIGHT = Pattern.compile("black_end:([0-9.]+)");

    private static final Pattern TONE = Pattern.compile("silence_end: ([0-9.]+)");

    private Clapper() {}

    /** Arguments of ffmpeg for the video and the audio. */
    static List<String> sources() {
        return List.of("-f", "lavfi", "-i", FRAMES, "-f", "lavfi", "-i", AUDIO);
    }

    static void make(Path to) throws Exception {
        List<String> arguments = new ArrayList<>(sources());
        arguments.addAll(List.of("-c:v", "libx264", "-preset", "veryfast", "-c:a", "aac"));
        Files.copy(EncodedInputs.get("mp4", arguments), to);
    }

    /**
     * By the ffmpeg program: it decodes to the end, is as long as it should be, and light and tone
     * come together, when they should.
     */
    static void assertInStep(Path media, double seconds, double toleranceSeconds) throws Exception {
        String said =
                OutputJudge.run(
                        List.of(
                                "ffmpeg",
                                "-hide_banner",
                                "-nostats",
                                "-i",
                                media.toString(),
                                "-vf",
                                "blackdetect=d=0.2:pix_th=0.3",
                                "-af",
                                "silencedetect=noise=-30dB:d=0.2",
                                "-f",
                                "null",
                                "-"));
        List<Double> light = times(LIGHT, said);
        List<Double> tone = times(TONE, said);
        assertEquals(2, light.size(), said);
        assertEquals(2, tone.size(), said);
        for (int i = 0; i < 2; i++) {
            assertEquals(1 + 2.0 * i, light.get(i), toleranceSeconds, said);
            assertEquals(light.get(i), tone.get(i), toleranceSeconds, said);
        }
        assertEquals(seconds, OutputJudge.durationSeconds(media), toleranceSeconds, said);
    }

    private static List<Double> times(Pattern pattern, String said) {
        return pattern.matcher(said)
                .results()
                .map(result -> Double.parseDouble(result.group(1)))
                .toList();
    }
}
