package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import touchline.api.access.TestViewers;
import touchline.api.access.TokenForge;
import touchline.api.asset.AssetFiles;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.AssetPlaybackIds;
import touchline.api.asset.FakeChapters;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.scoreboard.ShownSession;
import touchline.media.StreamId;
import touchline.packager.audience.Audience;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackDecision.Live;
import touchline.packager.delivery.PlaybackDecision.Refused;
import touchline.packager.delivery.PlaybackRequest;
import touchline.packager.thumbnail.Thumbnails;

final class PlaybackResolverTest {
    private static final StreamId STREAM = new StreamId("str_1");
    private static final long FAR = 4_000_000_000L;
    private static final PlaybackId OPEN = new PlaybackId("open", PlaybackPolicy.PUBLIC);
    private static final PlaybackId SIGNED = new PlaybackId("closed", PlaybackPolicy.SIGNED);

    private static final TokenForge FORGE = TokenForge.create("key_1");

    private final PlaybackResolver resolver =
            new PlaybackResolver(
                    TestViewers.knowing(FORGE),
                    new AssetPlaybackIds(new AssetFolders(Path.of("none")), AssetFiles.LOCAL),
                    new FakeChapters(),
                    new Audience(
                            new Audience.Limits(() -> 0, _ -> true),
                            System::nanoTime,
                            InstantSource.system()),
                    _ -> CompletableFuture.completedFuture(FrameDecision.Refused.NOT_FOUND));
    private final ShownSession first = new ShownSession("ses_1");
    private final ShownSession second = new ShownSession("ses_2");

    private PlaybackDecision resolve(PlaybackId id, String token) {
        return resolve(id, token, PlaybackRequest.Resource.MULTIVARIANT);
    }

    private PlaybackDecision resolve(
            PlaybackId id, String token, PlaybackRequest.Resource resource) {
        return resolver.resolve(
                        new PlaybackRequest(
                                id.id(),
                                resource,
                                Optional.of(token).filter(text -> !text.isEmpty()),
                                Optional.empty(),
                                InetAddress.getLoopbackAddress(),
                                Optional.empty()))
                .toCompletableFuture()
                .join();
    }

    private Live live(PlaybackId id) {
        return assertInstanceOf(Live.class, resolve(id, ""));
    }

    @Test
    void openId_untilTheSessionIsClosed_isShown() {
        assertEquals(Refused.NOT_FOUND, resolve(OPEN, ""));
        resolver.open(STREAM, List.of(OPEN), first);
        assertTrue(live(OPEN).running());

        resolver.ended(STREAM, first.session());
        assertFalse(live(OPEN).running());
        assertEquals(List.of(first), live(OPEN).sessions());

        resolver.close(STREAM, first.session());
        assertEquals(Refused.NOT_FOUND, resolve(OPEN, ""));
    }

    @Test
    void signedId_withAndWithoutToken_isRefusedWithItsReason() {
        resolver.open(STREAM, List.of(OPEN, SIGNED), first);

        Refused missing = assertInstanceOf(Refused.class, resolve(SIGNED, ""));
        Refused unknown = assertInstanceOf(Refused.class, resolve(SIGNED, "x.y.z"));

        assertEquals(40302, missing.code());
        assertEquals(40302, unknown.code());
        assertFalse(missing.message().equals(unknown.message()));
    }

    @Test
    void signedId_withItsToken_isShownRestrictedBelowAGrant() {
        resolver.open(STREAM, List.of(OPEN, SIGNED), first);
        String token = FORGE.good(SIGNED.id(), FAR);

        Live shown = assertInstanceOf(Live.class, resolve(SIGNED, token));

        assertEquals(List.of(first), shown.sessions());
        assertTrue(shown.restricted());
        assertTrue(shown.grant().isPresent());
        Live open = assertInstanceOf(Live.class, resolve(OPEN, token));
        assertFalse(open.restricted());
        assertEquals(Optional.empty(), open.grant());
    }

    @Test
    void signedId_downloads_areRefusedBeforeTheyAreNotFound() {
        resolver.open(STREAM, List.of(SIGNED), first);

        for (PlaybackRequest.Resource resource :
                List.of(PlaybackRequest.Resource.MP4, PlaybackRequest.Resource.THUMBNAIL)) {
            Refused without = assertInstanceOf(Refused.class, resolve(SIGNED, "", resource));
            assertEquals(403, without.status());
            String token = FORGE.good(SIGNED.id(), FAR);
            assertEquals(Refused.NOT_FOUND, resolve(SIGNED, token, resource));
        }
    }

    @Test
    void chapters_areThoseOfTheRunningSession() {
        PlaybackRequest.Resource chapters = PlaybackRequest.Resource.CHAPTERS;
        resolver.open(STREAM, List.of(OPEN, SIGNED), first);
        resolver.open(STREAM, List.of(OPEN, SIGNED), second);

        assertEquals(
                new PlaybackDecision.Chapters("WEBVTT of ses_2", /* restricted= */ false),
                resolve(OPEN, "", chapters));
        assertEquals(403, assertInstanceOf(Refused.class, resolve(SIGNED, "", chapters)).status());
        assertEquals(
                new PlaybackDecision.Chapters("WEBVTT of ses_2", /* restricted= */ true),
                resolve(SIGNED, FORGE.good(SIGNED.id(), FAR), chapters));

        resolver.ended(STREAM, second.session());
        assertEquals(Refused.NOT_FOUND, resolve(OPEN, "", chapters));
    }

    @Test
    void thumbnail_ofARunningSession_isItsNewestAsLongAsPlaylistsAreThere() {
        resolver.open(STREAM, List.of(OPEN, SIGNED), first);
        PlaybackRequest.Resource thumbnail = PlaybackRequest.Resource.THUMBNAIL;
        assertEquals(Refused.NOT_FOUND, resolve(OPEN, "", thumbnail), "nothing is listed yet");
        first.listed = Optional.of("#EXTM3U");

        assertEquals(
                new PlaybackDecision.Thumbnail(
                        first,
                        Thumbnails.ByDefault.NEWEST,
                        /* settled= */ false,
                        /* restricted= */ false),
                resolve(OPEN, "", thumbnail));
        assertEquals(
                new PlaybackDecision.Thumbnail(
                        first,
                        Thumbnails.ByDefault.NEWEST,
                        /* settled= */ false,
                        /* restricted= */ true),
                resolve(SIGNED, FORGE.good(SIGNED.id(), FAR), thumbnail));

        resolver.ended(STREAM, first.session());
        assertEquals(Refused.NOT_FOUND, resolve(OPEN, "", thumbnail), "as playlists are");
        resolver.closeAll(STREAM);
        assertEquals(Refused.NOT_FOUND, resolve(OPEN, "", thumbnail));
    }

    @Test
    void signedId_deleted_isNotFoundWithAGoodToken() {
        resolver.open(STREAM, List.of(OPEN, SIGNED), first);
        String token = FORGE.good(SIGNED.id(), FAR);
        assertInstanceOf(Live.class, resolve(SIGNED, token));

        resolver.identify(STREAM, () -> List.of(OPEN));

        assertEquals(Refused.NOT_FOUND, resolve(SIGNED, token));
    }

    @Test
    void newSession_whileAnotherLingers_isTheFirstAndRuns() {
        resolver.open(STREAM, List.of(OPEN), first);
        resolver.ended(STREAM, first.session());
        resolver.open(STREAM, List.of(OPEN), second);

        assertEquals(List.of(second, first), live(OPEN).sessions());
        assertTrue(live(OPEN).running());

        resolver.ended(STREAM, first.session());
        resolver.close(STREAM, first.session());
        assertEquals(List.of(second), live(OPEN).sessions());
        assertTrue(live(OPEN).running());
    }

    @Test
    void identify_replacesTheIds_andOnlyOfWhatIsShown() {
        resolver.identify(STREAM, () -> List.of(OPEN));
        assertEquals(Refused.NOT_FOUND, resolve(OPEN, ""));

        PlaybackId other = new PlaybackId("other", PlaybackPolicy.PUBLIC);
        resolver.open(STREAM, List.of(OPEN), first);
        resolver.identify(STREAM, () -> List.of(other));

        assertEquals(Refused.NOT_FOUND, resolve(OPEN, ""));
        assertEquals(List.of(first), live(other).sessions());
    }

    @Test
    void closeAll_closesEverySession_andRemovesTheIds() {
        resolver.open(STREAM, List.of(OPEN), first);
        resolver.open(STREAM, List.of(OPEN), second);

        resolver.closeAll(STREAM);

        assertTrue(first.closed && second.closed);
        assertEquals(Refused.NOT_FOUND, resolve(OPEN, ""));
    }
}
