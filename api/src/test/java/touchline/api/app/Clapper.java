package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Media in which video and audio change together: black and silent, from second 1 on white and a
 * tone, black and silent from 2 on, white and a tone from 3 on, and so forth.
 */
final class Clapper {
    private static final String FRAMES =
            "color=black:s=320x180:r=25:d=%d,"
                    + "drawbox=color=white:t=fill:enable='gte(mod(t,2),0.99)'";
    private static final String AUDIO =
            "aevalsrc='if(gte(mod(t,2),1),0.5*sin(2*PI*1000*t),0)':s=48000:d=%d";

    /** Black ends with a frame, silence within a frame of AAC. */
    private static final Pattern LIGHT = Pattern.compile("black_end:([0-9.]+)");

    private static final Pattern TONE = Pattern.compile("silence_end: ([0-9.]+)");

    /** What ffmpeg finds so late may be the end of the media. */
    private static final double END_SECONDS = 0.2;

    private Clapper() {}

    /** Arguments of ffmpeg for the video and the audio. */
    static List<String> sources(int seconds) {
        return List.of(
                "-f",
                "lavfi",
                "-i",
                FRAMES.formatted(seconds),
                "-f",
                "lavfi",
                "-i",
                AUDIO.formatted(seconds));
    }

    /** Four seconds as MP4. */
    static void make(Path to) throws Exception {
        List<String> arguments = new ArrayList<>(sources(4));
        arguments.addAll(List.of("-c:v", "libx264", "-preset", "veryfast", "-c:a", "aac"));
        Files.copy(EncodedInputs.get("mp4", arguments), to);
    }

    /**
     * By the ffmpeg program: four seconds decode to the end, and light and tone come together, when
     * they should.
     */
    static void assertInStep(Path media, double seconds, double toleranceSeconds) throws Exception {
        Changes changes = changes(media);
        assertEquals(2, changes.light().size(), changes.said());
        assertEquals(2, changes.tone().size(), changes.said());
        changes.assertTogether(2, toleranceSeconds);
        assertEquals(seconds, OutputJudge.durationSeconds(media), toleranceSeconds, changes.said());
    }

    /** The same of media that may end anywhere behind its second change, also black and silent. */
    static void assertInStepSoFar(Path media, double toleranceSeconds) throws Exception {
        Changes changes = changes(media).before(OutputJudge.durationSeconds(media) - END_SECONDS);
        int both = Math.min(changes.light().size(), changes.tone().size());
        assertTrue(both >= 2, changes.said());
        changes.assertTogether(both, toleranceSeconds);
    }

    /** When it turned white, and when the tone began, by what ffmpeg said. */
    private record Changes(List<Double> light, List<Double> tone, String said) {
        Changes before(double seconds) {
            return new Changes(
                    light.stream().filter(each -> each < seconds).toList(),
                    tone.stream().filter(each -> each < seconds).toList(),
                    said);
        }

        void assertTogether(int count, double toleranceSeconds) {
            for (int i = 0; i < count; i++) {
                assertEquals(1 + 2.0 * i, light.get(i), toleranceSeconds, said);
                assertEquals(light.get(i), tone.get(i), toleranceSeconds, said);
            }
        }
    }

    private static Changes changes(Path media) throws Exception {
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
        return new Changes(times(LIGHT, said), times(TONE, said), said);
    }

    private static List<Double> times(Pattern pattern, String said) {
        return pattern.matcher(said)
                .results()
                .map(result -> Double.parseDouble(result.group(1)))
                .toList();
    }
}
