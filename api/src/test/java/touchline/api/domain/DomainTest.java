package touchline.api.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import touchline.media.hub.EndReason;

final class DomainTest {
    private static StreamDefinition stream(String key, WatermarkSettings watermark) {
        return new StreamDefinition(
                StreamDefinition.newId(),
                StreamDefinition.DEFAULT_ACCOUNT,
                key,
                StreamSettings.DEFAULTS,
                /* disabled= */ false,
                List.of(PlaybackId.create(PlaybackPolicy.PUBLIC)),
                Optional.empty(),
                Optional.of(watermark),
                Instant.parse("2026-01-01T00:00:00.123456Z"));
    }

    @Test
    void toString_ofAStream_hidesBothPushKeys() {
        AudioMixSettings mix = new AudioMixSettings(AudioMixSettings.Mode.MAIN, 1, 0);
        String text =
                stream(
                                "mainSecret",
                                new WatermarkSettings.Stream(
                                        "overlaySecret", mix, Optional.empty()))
                        .toString();

        assertFalse(text.contains("mainSecret"), text);
        assertFalse(text.contains("overlaySecret"), text);
    }

    @Test
    void toString_ofAToken_hidesTheHash() {
        AccessToken token =
                new AccessToken(
                        "id",
                        "n",
                        Set.of(),
                        Optional.empty(),
                        "c0ffee",
                        Instant.EPOCH,
                        Optional.empty());

        assertFalse(token.toString().contains("c0ffee"));
    }

    @Test
    void wireNames_ofEveryConstant_leadBack() {
        for (Scope scope : Scope.values()) {
            assertEquals(Optional.of(scope), Scope.of(scope.wireName()));
        }
        for (Mp4Support support : Mp4Support.values()) {
            assertEquals(Optional.of(support), Mp4Support.of(support.wireName()));
        }
        for (SessionEnd end : SessionEnd.values()) {
            assertEquals(Optional.of(end), SessionEnd.of(end.wireName()));
        }
        assertEquals(Optional.of(LatencyMode.LOW), LatencyMode.of("low"));
        assertEquals(Optional.of(PlaybackPolicy.SIGNED), PlaybackPolicy.of("signed"));
        assertEquals(Optional.of(Mp4Support.CAPPED_1080P), Mp4Support.of("capped-1080p"));
        assertEquals(Optional.of(Scope.ASSETS_WRITE), Scope.of("assets:write"));
        for (String unknown : List.of("", "LOW", "Low", "low ", "standard\n")) {
            assertEquals(Optional.empty(), LatencyMode.of(unknown));
        }
    }

    @Test
    void sessionEnd_ofReasonThatEndsNoSession_isRefused() {
        assertEquals(SessionEnd.COMPLETED, SessionEnd.of(EndReason.COMPLETED));
        assertThrows(IllegalArgumentException.class, () -> SessionEnd.of(EndReason.KEY_RESET));
        assertThrows(IllegalArgumentException.class, () -> SessionEnd.of(EndReason.TAKEN_OVER));
    }

    @Test
    void auditSettings_outOfRange_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> audit(0, Map.of("nude", 0.5)));
        assertThrows(IllegalArgumentException.class, () -> audit(3601, Map.of("nude", 0.5)));
        assertThrows(IllegalArgumentException.class, () -> audit(1, Map.of()));
        for (double bad : new double[] {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThrows(IllegalArgumentException.class, () -> audit(1, Map.of("nude", bad)));
        }
        assertEquals(1.0, audit(3600, Map.of("nude", 1.0)).models().get("nude"));
    }

    private static AuditSettings audit(int interval, Map<String, Double> models) {
        return new AuditSettings(
                interval, 1, new LinkedHashMap<>(models), AuditSettings.OnReject.NONE, false);
    }

    @Test
    void page_lastAndOthers_showWhetherThereIsMore() {
        assertTrue(Page.of(List.of(1), new PageRequest(1, 1), 2).hasMore());
        assertFalse(Page.of(List.of(1), new PageRequest(2, 1), 2).hasMore());
        assertFalse(Page.of(List.of(), PageRequest.FIRST, 0).hasMore());
        assertEquals(2_147_483_646L * 100, new PageRequest(Integer.MAX_VALUE, 100).offset());
        assertThrows(IllegalArgumentException.class, () -> new PageRequest(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new PageRequest(1, 101));
    }

    @Test
    void randomText_ofBits_isLongEnough() {
        assertEquals(22, RandomText.ofBits(128).length());
        assertTrue(PlaybackId.create(PlaybackPolicy.PUBLIC).id().matches("[0-9A-Za-z]{24}"));
        assertThrows(IllegalArgumentException.class, () -> RandomText.ofBits(0));
    }

    @Test
    void streamDefinition_givenLists_copiesThemAndCutsTheTime() {
        List<PlaybackId> ids = new ArrayList<>();
        StreamDefinition stream =
                new StreamDefinition(
                        StreamDefinition.newId(),
                        StreamDefinition.DEFAULT_ACCOUNT,
                        "key",
                        StreamSettings.DEFAULTS,
                        false,
                        ids,
                        Optional.empty(),
                        Optional.empty(),
                        Instant.parse("2026-01-01T00:00:00.123456Z"));
        ids.add(PlaybackId.create(PlaybackPolicy.PUBLIC));

        assertEquals(List.of(), stream.playbackIds());
        assertEquals(Instant.parse("2026-01-01T00:00:00.123Z"), stream.createdAt());
    }
}
