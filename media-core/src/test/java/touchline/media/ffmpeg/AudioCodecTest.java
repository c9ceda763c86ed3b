package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.codec.MalformedMediaException;
import touchline.testing.Goertzel;
import touchline.testing.SyntheticStream;

final class AudioCodecTest {
    private static final int RATE_HZ = 48_000;
    private static final AudioSettings STEREO = new AudioSettings(RATE_HZ, 2, 128_000);

    @Test
    void roundTrip_toneForEachChannel_staysInItsChannel() {
        List<AccessUnit> units =
                TestMedia.audio(STEREO, TestMedia.tones(RATE_HZ, RATE_HZ, 1_000, 2_500));

        float[] decoded = decode(units, RATE_HZ);

        assertEquals(0.5, level(decoded, 0, 1_000), 0.03);
        assertEquals(0.5, level(decoded, 1, 2_500), 0.03);
        assertTrue(level(decoded, 0, 2_500) < 0.01);
        assertTrue(level(decoded, 1, 1_000) < 0.01);
    }

    @Test
    void roundTrip_click_comesOutAtItsTime() {
        float[] samples = new float[2 * 24_000];
        for (int i = 0; i < 40; i++) {
            samples[2 * (10_000 + i)] = i % 8 < 4 ? 0.9f : -0.9f;
        }
        List<AccessUnit> units = TestMedia.audio(STEREO, Pcm.of(RATE_HZ, 2, 0, samples));

        float[] decoded = decode(units, 24_000);

        double weight = 0;
        double moment = 0;
        for (int i = 0; i < 24_000; i++) {
            double energy = decoded[2 * i] * decoded[2 * i];
            weight += energy;
            moment += energy * i;
        }
        assertTrue(weight > 1, "there is a click");
        assertEquals(10_020, moment / weight, 48, "within a millisecond");
    }

    @Test
    void encode_firstUnit_liesOneFrameBeforeTheAudio() {
        List<AccessUnit> units =
                TestMedia.audio(STEREO, TestMedia.tones(RATE_HZ, 10 * 1024, 440, 440));

        for (int i = 0; i < units.size(); i++) {
            assertEquals(1024L * (i - 1), units.get(i).dtsTicks());
        }
        assertTrue(units.size() >= 11, "units: " + units.size());
    }

    @Test
    void encode_anyBlockSize_givesTheSameUnits() {
        Pcm whole = TestMedia.tones(RATE_HZ, 9_600, 700, 900);
        List<AccessUnit> units = new ArrayList<>();
        try (AudioEncoder encoder = AudioEncoder.open(STEREO)) {
            for (int start = 0; start < whole.frames(); start += 1_600) {
                MemorySegment part = whole.samples().asSlice(start * 8L, 1_600 * 8L);
                units.addAll(encoder.encode(new Pcm(RATE_HZ, 2, start, part)));
            }
            units.addAll(encoder.finish());
        }
        List<AccessUnit> expected = TestMedia.audio(STEREO, whole);

        assertEquals(expected.size(), units.size());
        for (int i = 0; i < units.size(); i++) {
            assertEquals(-1, expected.get(i).payload().mismatch(units.get(i).payload()));
            assertEquals(expected.get(i).dtsTicks(), units.get(i).dtsTicks());
        }
    }

    @Test
    void encode_gap_isRefused() {
        try (AudioEncoder encoder = AudioEncoder.open(STEREO)) {
            encoder.encode(TestMedia.tones(RATE_HZ, 100, 440, 440));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> encoder.encode(TestMedia.tones(RATE_HZ, 100, 440, 440)));
        }
    }

    @Test
    void encode_otherRateOrChannels_isRefused() {
        try (AudioEncoder encoder = AudioEncoder.open(STEREO)) {
            var refused =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> encoder.encode(TestMedia.tones(44_100, 100, 440)));

            assertEquals(
                    "pcm: 44100 Hz, 1 channels (expected: 48000 Hz, 2 channels)",
                    refused.getMessage());
        }
    }

    @Test
    void encode_afterTheEnd_isRefused_theEndComesOnce() {
        AudioEncoder encoder = AudioEncoder.open(STEREO);
        try (encoder) {
            encoder.encode(TestMedia.tones(RATE_HZ, 2_048, 440, 440));
            encoder.finish();

            assertEquals(List.of(), encoder.finish());
            assertThrows(
                    IllegalStateException.class,
                    () -> encoder.encode(Pcm.silence(RATE_HZ, 2, 2_048, 100)));
        }
        encoder.close();
    }

    @Test
    void encoder_rateThatAacLacks_isRefused() {
        assertThrows(
                FfmpegException.class,
                () -> AudioEncoder.open(new AudioSettings(47_999, 2, 128_000)));
    }

    @Test
    void decoder_videoTrack_isRefused() {
        var refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> AudioDecoder.open(SyntheticStream.VIDEO_TRACK));

        assertEquals("not an audio track: avc1.64001f", refused.getMessage());
    }

    @Test
    void decode_afterTheEnd_startsAgain() {
        List<AccessUnit> units = TestMedia.audio(STEREO, TestMedia.tones(RATE_HZ, 4_096, 440, 440));
        try (AudioDecoder decoder = AudioDecoder.open(units.getFirst().track())) {
            int frames = decoder.decode(units.get(1)).getFirst().frames();
            decoder.drain();
            assertEquals(List.of(), decoder.drain(), "the end comes once");

            Pcm again = decoder.decode(units.get(2)).getFirst();

            assertEquals(frames, again.frames());
            assertEquals(1_024, again.startFrame());
        }
    }

    @Test
    void decode_badUnit_isMalformedAndTheNextOneDecodes() {
        List<AccessUnit> units = TestMedia.audio(STEREO, TestMedia.tones(RATE_HZ, 4_096, 440, 440));
        try (AudioDecoder decoder = AudioDecoder.open(units.getFirst().track())) {
            byte[] bad = new byte[64];
            java.util.Arrays.fill(bad, (byte) 0xFF);
            AccessUnit unit = units.getFirst();
            AccessUnit broken =
                    new AccessUnit(unit.track(), 0, 0, true, MemorySegment.ofArray(bad));
            assertThrows(MalformedMediaException.class, () -> decoder.decode(broken));
            assertEquals(1, decoder.decode(units.get(1)).size());
        }
    }

    /** Interleaved stereo from time 0 on. */
    private static float[] decode(List<AccessUnit> units, int frames) {
        float[] result = new float[2 * frames];
        try (AudioDecoder decoder = AudioDecoder.open(units.getFirst().track())) {
            for (AccessUnit unit : units) {
                for (Pcm pcm : decoder.decode(unit)) {
                    copy(pcm, result);
                }
            }
            for (Pcm pcm : decoder.drain()) {
                copy(pcm, result);
            }
        }
        return result;
    }

    private static void copy(Pcm pcm, float[] target) {
        for (int i = 0; i < pcm.frames(); i++) {
            long at = pcm.startFrame() + i;
            if (at >= 0 && at < target.length / 2) {
                target[(int) (2 * at)] = pcm.sample(i, 0);
                target[(int) (2 * at + 1)] = pcm.sample(i, 1);
            }
        }
    }

    /** Amplitude of one frequency over the middle of the audio. */
    private static double level(float[] stereo, int channel, double frequencyHz) {
        int from = 4_800;
        int count = 38_400;
        double[] middle = new double[count];
        for (int i = 0; i < count; i++) {
            middle[i] = stereo[2 * (from + i) + channel];
        }
        return 2 * Math.sqrt(Goertzel.power(middle, frequencyHz, RATE_HZ)) / count;
    }
}
