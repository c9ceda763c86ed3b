package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.packager.delivery.PlaybackTarget.Item;

class PlaybackTargetTest {
    private static void names(String target, String id, Optional<String> grant, Item item) {
        assertEquals(
                Optional.of(new PlaybackTarget(id, grant, item)), PlaybackTarget.parse(target));
    }

    private static void names(String target, Item item) {
        names(target, "aZ0-_9", Optional.empty(), item);
    }

    @Test
    void parse_everyAddress_isNamed() {
        names("/aZ0-_9.m3u8", new Item.Multivariant());
        names("/aZ0-_9/capped-1080p.mp4", new Item.Mp4());
        names("/aZ0-_9/thumbnail.jpg", new Item.Thumbnail());
        names("/aZ0-_9/ses-1/media.m3u8", new Item.MediaPlaylist("ses-1"));
        names("/aZ0-_9/ses-1/init0.mp4", new Item.InitSegment("ses-1", 0));
        names("/aZ0-_9/ses-1/init12.mp4", new Item.InitSegment("ses-1", 12));
        names("/aZ0-_9/ses-1/s0.m4s", new Item.Segment("ses-1", 0));
        names(
                "/aZ0-_9/ses-1/s123456789012345678.m4s",
                new Item.Segment("ses-1", 123456789012345678L));
        names("/aZ0-_9/ses-1/s7.3.m4s", new Item.Part("ses-1", 7, 3));
    }

    @Test
    void parse_rendition_isTheSameBelowItsName() {
        names(
                "/aZ0-_9/ses-1/480p/media.m3u8",
                new Item.OfRendition("ses-1", "480p", new Item.MediaPlaylist("ses-1")));
        names(
                "/aZ0-_9/ses-1/480p/init3.107.mp4",
                new Item.OfRendition("ses-1", "480p", new Item.RunInit("ses-1", 3, 107)));
        names(
                "/aZ0-_9/ses-1/480p/s7.3.m4s",
                new Item.OfRendition("ses-1", "480p", new Item.Part("ses-1", 7, 3)));
        names(
                "/id/~g/ses/480p/s7.m4s",
                "id",
                Optional.of("g"),
                new Item.OfRendition("ses", "480p", new Item.Segment("ses", 7)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/id/ses/480p/init3.mp4",
                "/id/ses/480p/init3.mp4.mp4",
                "/id/ses/480p/init3..mp4",
                "/id/ses/480p/init03.1.mp4",
                "/id/ses/480p/init3.01.mp4",
                "/id/ses/init3.1.mp4",
                "/id/ses/48.0p/media.m3u8",
                "/id/ses//media.m3u8",
                "/id//480p/media.m3u8",
                "/id/ses/480p/x/media.m3u8",
                "/id/~g/ses/480p/x/media.m3u8",
                "/id/~g/~h/480p/media.m3u8",
                "/id/ses/480p/capped-1080p.mp4"
            })
    void parse_whatNoRenditionHas_namesNothing(String target) {
        assertEquals(Optional.empty(), PlaybackTarget.parse(target));
    }

    @Test
    void parse_belowGrant_keepsIt() {
        Optional<String> grant = Optional.of("v1.ab-_.9");
        names("/id/~v1.ab-_.9/ses/media.m3u8", "id", grant, new Item.MediaPlaylist("ses"));
        names("/id/~v1.ab-_.9/ses/s7.3.m4s", "id", grant, new Item.Part("ses", 7, 3));
        names("/id/~v1.ab-_.9/capped-1080p.mp4", "id", grant, new Item.Mp4());
    }

    @Test
    void parse_queryAbsoluteFormAndEscapes_areUnderstood() {
        names("/id.m3u8?token=a/../b", "id", Optional.empty(), new Item.Multivariant());
        names("http://host:81/id.m3u8", "id", Optional.empty(), new Item.Multivariant());
        names("https://host/id.m3u8?x", "id", Optional.empty(), new Item.Multivariant());
        names("/%69d.m3u8", "id", Optional.empty(), new Item.Multivariant());
        names("/id/%7eg/s/media.m3u8", "id", Optional.of("g"), new Item.MediaPlaylist("s"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "*",
                "id.m3u8",
                "/.m3u8",
                "/id",
                "/id.m3u",
                "/id.M3U8",
                "/i.d.m3u8",
                "/~id.m3u8",
                "//id.m3u8",
                "/id.m3u8/",
                "/id//capped-1080p.mp4",
                "/id/../other.m3u8",
                "/id/./capped-1080p.mp4",
                "/../id.m3u8",
                "/%2e%2e/id.m3u8",
                "/id/..%2fother.m3u8",
                "/id%2Fses%2Fmedia.m3u8",
                "/id%2fcapped-1080p.mp4",
                "/id/%252e%252e/media.m3u8",
                "/id/..%5cmedia.m3u8",
                "/id%00.m3u8",
                "/id%.m3u8",
                "/id%2",
                "/id%zz.m3u8",
                "/i d.m3u8",
                "/id;x.m3u8",
                "/id\u00e9.m3u8",
                "/id.m3u8#x",
                "/id/ses",
                "/id/~/ses/media.m3u8",
                "/id/~g",
                "/id/~g/media.m3u8",
                "/id/~g/~h/media.m3u8",
                "/id/~g/ses/x/y/media.m3u8",
                "/id/../media.m3u8",
                "/id/.ses/media.m3u8",
                "/id/ses/media.m3u8x",
                "/id/ses/init.mp4",
                "/id/ses/init-1.mp4",
                "/id/ses/init01.mp4",
                "/id/ses/init1234567890.mp4",
                "/id/ses/s.m4s",
                "/id/ses/s01.m4s",
                "/id/ses/s-1.m4s",
                "/id/ses/s+1.m4s",
                "/id/ses/s1..m4s",
                "/id/ses/s1.02.m4s",
                "/id/ses/s1.2.3.m4s",
                "/id/ses/s1234567890123456789.m4s",
                "/id/ses/s1.1234567890.m4s",
                "/id/ses/capped-1080p.mp4",
                "http://host",
                "ftp://host/id.m3u8",
            })
    void parse_anythingElse_namesNothing(String target) {
        assertEquals(Optional.empty(), PlaybackTarget.parse(target));
    }

    @Test
    void parse_randomText_neverThrowsAndNeverNamesOddThings() {
        String alphabet = "/..%~2fFeE0s1.m4sinit.mp4media.m3u8?&=_HLS_msn-\u0000\u00ff \\";
        Random random = new Random(11);
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder("/");
            for (int length = random.nextInt(40); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            PlaybackTarget.parse(text.toString())
                    .ifPresent(
                            target ->
                                    assertTrue(
                                            target.playbackId().matches("[A-Za-z0-9_-]+"),
                                            text::toString));
        }
    }
}
