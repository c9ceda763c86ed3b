package touchline.media.alignment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.alignment.EnvelopeCorrelation.Match;
import touchline.media.hub.SourceAlignment.Lag;

final class EnvelopeCorrelationTest {
    private static final DoubleUnaryOperator MATCH = Programme.match(1);

    private final EnvelopeCorrelation correlation = new EnvelopeCorrelation();

    /** Content of the second publisher behind the first one's on arrival. */
    @ParameterizedTest
    @ValueSource(doubles = {-7, -3.217, -0.4, 0, 0.004, 0.4, 1.05, 3, 6.999})
    void match_sameAudio_findsTheLagWithinTwoMilliseconds(double behind) {
        // Both stop at the same moment; the clocks started at 100 s and at 0 s.
        Envelope one = Programme.sent(MATCH, 10, 30, 100, 0);
        Envelope other = Programme.sent(MATCH, 10 - behind, 30, 0, 0);

        Match match = correlation.match(one, other, levels(-100)).orElseThrow();

        assertEquals(behind - 100, match.lagLevels() / Envelope.LEVELS_HZ, 0.002);
        assertTrue(match.confidence() > 0.8, "confidence " + match.confidence());
    }

    @Test
    void match_clocks200PpmApart_findsTheLagOfTheNewestAudio() {
        Envelope one = Programme.sent(MATCH, 0, 60, 0, 0);
        Envelope other = Programme.sent(MATCH, 0, 60, 0, 200);

        Match match = correlation.match(one, other, 0).orElseThrow();

        // In the middle of the newest 8 s: 56 s * 200 ppm.
        assertEquals(0.0112, match.lagLevels() / Envelope.LEVELS_HZ, 0.002);
        assertTrue(match.confidence() > 0.8, "confidence " + match.confidence());
    }

    @Test
    void match_withOtherNoiseAtHalfTheLevel_isStillReliable() {
        Envelope one = Programme.sent(mixed(MATCH, Programme.noise(5, 0.02)), 10, 30, 0, 0);
        Envelope other = Programme.sent(mixed(MATCH, Programme.noise(6, 0.02)), 9, 30, 0, 0);

        Match match = correlation.match(one, other, 0).orElseThrow();

        assertEquals(1, match.lagLevels() / Envelope.LEVELS_HZ, 0.002);
        assertTrue(match.confidence() >= Lag.ENOUGH, "confidence " + match.confidence());
    }

    @Test
    void match_sameWhiteNoise_isReliable() {
        DoubleUnaryOperator noise = Programme.noise(5, 0.3);
        Envelope one = Programme.sent(noise, 10, 30, 0, 0);
        Envelope other = Programme.sent(noise, 9, 30, 0, 0);

        Match match = correlation.match(one, other, 0).orElseThrow();

        assertEquals(1, match.lagLevels() / Envelope.LEVELS_HZ, 0.002);
        assertTrue(match.confidence() >= Lag.ENOUGH, "confidence " + match.confidence());
    }

    @Test
    void match_differentAudio_hasNoConfidence() {
        Envelope one = Programme.sent(MATCH, 10, 30, 0, 0);
        Envelope other = Programme.sent(Programme.match(2), 10, 30, 0, 0);

        Match match = correlation.match(one, other, 0).orElseThrow();

        assertTrue(match.confidence() < 0.15, "confidence " + match.confidence());
    }

    @Test
    void match_silence_hasNoConfidence() {
        Envelope one = Programme.sent(_ -> 0, 10, 30, 0, 0);
        Envelope quiet = Programme.sent(Programme.noise(7, 1e-4), 10, 30, 0, 0);

        assertEquals(0, correlation.match(one, one, 0).orElseThrow().confidence());
        assertEquals(0, correlation.match(one, quiet, 0).orElseThrow().confidence());
    }

    @Test
    void match_steadyTone_hasNoConfidence() {
        DoubleUnaryOperator tone = seconds -> 0.5 * Math.sin(2 * Math.PI * 440 * seconds);
        Envelope one = Programme.sent(tone, 10, 30, 0, 0);
        Envelope other = Programme.sent(tone, 9, 30, 0, 0);

        Match match = correlation.match(one, other, 0).orElseThrow();

        assertTrue(match.confidence() < Lag.ENOUGH, "confidence " + match.confidence());
    }

    @Test
    void match_periodicMusic_hasNoConfidence() {
        Envelope one = Programme.sent(Programme.loop(), 10, 30, 0, 0);
        Envelope other = Programme.sent(Programme.loop(), 9.3, 30, 0, 0);

        Match match = correlation.match(one, other, 0).orElseThrow();

        assertTrue(match.confidence() < 0.2, "confidence " + match.confidence());
    }

    @Test
    void match_tooLittleAudio_isEmpty() {
        Envelope one = Programme.sent(MATCH, 10, 7.9, 0, 0);
        Envelope other = Programme.sent(MATCH, 10, 30, 0, 0);

        assertEquals(Optional.empty(), correlation.match(one, other, 0));
    }

    @Test
    void match_farFromTheExpectedLag_isEmpty() {
        Envelope one = Programme.sent(MATCH, 10, 30, 0, 0);

        assertEquals(Optional.empty(), correlation.match(one, one, Long.MAX_VALUE / 4));
    }

    private static DoubleUnaryOperator mixed(DoubleUnaryOperator one, DoubleUnaryOperator other) {
        return seconds -> one.applyAsDouble(seconds) + other.applyAsDouble(seconds);
    }

    private static long levels(double seconds) {
        return Math.round(seconds * Envelope.LEVELS_HZ);
    }
}
