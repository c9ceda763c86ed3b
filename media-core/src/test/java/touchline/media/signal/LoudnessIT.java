package touchline.media.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.ffmpeg.MediaTool;
import touchline.media.ffmpeg.Pcm;

/** The loudness of the meter beside that of ffmpeg's ebur128 filter, at each 100 ms. */
final class LoudnessIT {
    private static final double TOLERANCE_LU = 0.5;

    /** From here on both have 3 s. */
    private static final int FIRST_BLOCK = 30;

    @TempDir Path folder;

    /** Pink noise that swells, beside a sweep that is cut off and returns. */
    private static String source(int sampleRateHz, String layout) {
        return ("anoisesrc=c=pink:r=%1$d:a=0.5:d=14:seed=7,volume='0.3+0.25*sin(t)':eval=frame[n];"
                        + "aevalsrc='0.3*sin(2*PI*(80*t+90*t*t))*lt(mod(t,5),3)':s=%1$d:d=14[s];"
                        + "[n][s]join=inputs=2:channel_layout=stereo%2$s")
                .formatted(
                        sampleRateHz,
                        layout.equals("stereo")
                                ? ""
                                : ",pan=5.1|c0=c0|c1=c1|c2=0.5*c0|c3=c1|c4=0.7*c1|c5=c0");
    }

    @ParameterizedTest
    @CsvSource({"48000, stereo", "44100, stereo", "48000, 5.1"})
    void shortTerm_changingAudio_isThatOfFfmpeg(int sampleRateHz, String layout) throws Exception {
        Path raw = folder.resolve("audio.f32");
        Path measured = folder.resolve("measured.txt");
        MediaTool.make(
                raw,
                "-filter_complex",
                source(sampleRateHz, layout)
                        + ",ebur128=metadata=1,ametadata=mode=print:key=lavfi.r128.S:file="
                        + measured,
                "-f",
                "f32le",
                "-c:a",
                "pcm_f32le");

        List<Double> ours = shortTerm(raw, sampleRateHz, layout.equals("stereo") ? 2 : 6);
        List<Double> theirs = values(measured);

        assertTrue(theirs.size() >= 130, "values: " + theirs.size());
        double most = 0;
        for (int i = FIRST_BLOCK; i < Math.min(ours.size(), theirs.size()); i++) {
            most = Math.max(most, Math.abs(ours.get(i) - theirs.get(i)));
        }
        assertEquals(0, most, TOLERANCE_LU, ours + "\n" + theirs);
    }

    private static List<Double> shortTerm(Path raw, int sampleRateHz, int channels)
            throws Exception {
        List<Double> values = new ArrayList<>();
        LoudnessMeter loudness = new LoudnessMeter();
        AudioMeter meter =
                new AudioMeter(
                        sampleRateHz,
                        channels,
                        block -> {
                            loudness.add(block.weighted());
                            values.add(loudness.shortTerm());
                        });
        byte[] bytes = Files.readAllBytes(raw);
        meter.add(new Pcm(sampleRateHz, channels, 0, MemorySegment.ofArray(bytes)));
        return values;
    }

    private static List<Double> values(Path measured) throws Exception {
        return Files.readAllLines(measured).stream()
                .filter(line -> line.startsWith("lavfi.r128.S="))
                .map(line -> Double.parseDouble(line.substring(line.indexOf('=') + 1)))
                .toList();
    }
}
