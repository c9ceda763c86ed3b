package touchline.media.transcode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.TestMedia;

final class LiveAudioTranscoderTest {
    private static final int UNIT = 1_024;
    private static final List<AccessUnit> SOURCE =
            TestMedia.audio(
                    new AudioSettings(48_000, 2, 128_000),
                    TestMedia.tones(48_000, 12 * UNIT, 440, 660));

    private static AccessUnit at(AccessUnit unit, long frames) {
        return unit.at(unit.track(), unit.dtsTicks() + frames, 0);
    }

    private static List<Long> transcoded(List<AccessUnit> units) {
        List<AccessUnit> made = new ArrayList<>();
        try (LiveAudioTranscoder transcoder = LiveAudioTranscoder.open(units.getFirst().track())) {
            units.forEach(unit -> made.addAll(transcoder.transcode(unit)));
            made.addAll(transcoder.finish());
            assertTrue(made.stream().allMatch(unit -> unit.track().equals(transcoder.track())));
        }
        return made.stream().map(AccessUnit::dtsTicks).toList();
    }

    private static void assertContinuous(List<Long> starts) {
        for (int i = 1; i < starts.size(); i++) {
            assertEquals(UNIT, starts.get(i) - starts.get(i - 1), starts::toString);
        }
    }

    @Test
    void transcode_units_coverTheSourceAndNoMore() {
        List<Long> starts = transcoded(SOURCE);

        assertEquals(SOURCE.getFirst().dtsTicks(), starts.getFirst());
        assertTrue(starts.getLast() <= SOURCE.getLast().dtsTicks(), starts::toString);
        assertContinuous(starts);
    }

    @Test
    void transcode_shortGap_isFilledWithSilence() {
        List<AccessUnit> units = new ArrayList<>(SOURCE.subList(0, 6));
        SOURCE.subList(6, 12).forEach(unit -> units.add(at(unit, 40 * UNIT)));

        List<Long> starts = transcoded(units);

        assertTrue(starts.size() >= 50, starts::toString);
        assertContinuous(starts);
    }

    /** More than two seconds: the encoder starts again, at the exact sample. */
    @Test
    void transcode_longGap_staysAGap() {
        long gap = 3 * 48_000 + 17;
        List<AccessUnit> units = new ArrayList<>(SOURCE.subList(0, 6));
        SOURCE.subList(6, 12).forEach(unit -> units.add(at(unit, gap)));

        List<Long> starts = transcoded(units);

        long stopped = units.get(5).dtsTicks() + UNIT;
        long resumed = units.get(6).dtsTicks();
        List<Long> before = starts.stream().filter(start -> start < stopped).toList();
        List<Long> after = starts.stream().filter(start -> start >= stopped).toList();
        assertContinuous(before);
        assertContinuous(after);
        // The first one may be the unit that primes the new encoder.
        assertTrue(after.getFirst() >= resumed - UNIT, after::toString);
        assertTrue(after.contains(resumed), after::toString);
    }

    @Test
    void transcode_brokenUnit_becomesSilence() {
        byte[] noise = new byte[64];
        Arrays.fill(noise, (byte) 0xFF);
        List<AccessUnit> units = new ArrayList<>(SOURCE);
        for (int i = 4; i < 6; i++) {
            AccessUnit whole = units.get(i);
            units.set(
                    i,
                    new AccessUnit(
                            whole.track(),
                            whole.dtsTicks(),
                            0,
                            true,
                            MemorySegment.ofArray(noise)));
        }

        assertEquals(transcoded(SOURCE), transcoded(units));
    }

    /** AAC-LC has no such rate: what was opened before is closed. */
    @Test
    void open_rateThatAacLacks_isRefused() {
        Track odd =
                new Track(Track.AUDIO_ID, new Timescale(47_999), new CodecConfig.Mp3(48_000, 2));

        assertThrows(FfmpegException.class, () -> LiveAudioTranscoder.open(odd));
    }
}
