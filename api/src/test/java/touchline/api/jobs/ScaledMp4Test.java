package touchline.api.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.asset.AssetFixture;
import touchline.api.asset.AssetService;
import touchline.api.asset.Renditions;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.media.ffmpeg.H264Encoder;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.record.Recording;
import touchline.packager.record.RigRecording;
import touchline.testing.Await;

/** Jobs of scaled copies, up to the start of a worker process. */
final class ScaledMp4Test extends AssetJobsFixture {
    /** A clip of two ranges, whose MP4 needs one format. */
    private static final long RANGE_US = 4_000_000;

    private AssetService assets;
    private List<H264Encoder> encoders = List.of();

    ScaledMp4Test() {
        super(ScaledMp4.class);
    }

    @BeforeEach
    void openAssets() {
        assets = room.newKeeper(store);
    }

    private ScaledMp4 scaled() {
        ScaledMp4 scaled =
                new ScaledMp4(
                        new ScaledMp4.Dependencies(
                                assets,
                                room.repository,
                                workers,
                                () -> encoders,
                                () -> leastFreeBytes,
                                InstantSource.system()),
                        jobs,
                        /* places= */ 1);
        jobs.start();
        return scaled;
    }

    private Asset clipOfTwoFormats() throws Exception {
        Asset source = room.stored(AssetFixture.finished(2 * RANGE_US));
        AssetOrigin.Cut range = new AssetOrigin.Cut(source.id(), 0, RANGE_US);
        Asset clip =
                source.clip(
                                new AssetOrigin.Joined(List.of(range, range)),
                                List.of(source, source),
                                AssetFixture.NOW)
                        .with(AssetFixture.finished(2 * RANGE_US));
        room.repository.create(clip);
        PackagerRig rig = new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 0, true));
        rig.feed(TestMedia.timeline(0, 0, TestMedia.videoAt(5)))
                .feed(TestMedia.video(new TestMedia.Video(5, 10, 0, 4_000)))
                .feed(TestMedia.timeline(1, 4_000, TestMedia.videoAt(5)))
                .feed(TestMedia.video(new TestMedia.Video(5, 10, 4_000, 4_000)));
        Recording _ = RigRecording.record(rig, folder(clip));
        return clip;
    }

    private Path folder(Asset asset) {
        return room.folders.of(asset.id());
    }

    private String refusal(Asset asset) throws Exception {
        Path file = folder(asset).resolve(Renditions.REFUSED);
        Await.until(() -> Files.exists(file));
        awaitNoJob();
        return Files.readString(file);
    }

    private void awaitNoJob() {
        Await.until(() -> !jobs.load(Instant.now()).containsKey("rendition"));
    }

    private void awaitLine(String line) {
        Await.until(() -> log.texts().contains(line));
    }

    @Test
    void request_withoutAnEncoder_isRefusedWithTheReason() throws Exception {
        Asset clip = clipOfTwoFormats();
        ScaledMp4 scaled = scaled();

        scaled.request(clip.id());

        assertEquals("this server has no H.264 encoder\n", refusal(clip));
        assertEquals(OptionalLong.empty(), scaled.secondsLeft(clip.id()));
        assertFalse(Files.exists(folder(clip).resolve(Renditions.FOLDER)));
        assertTrue(store.calls.contains("head " + clip.id()), store.calls::toString);
    }

    @Test
    void request_ofLittleDiskSpace_waits() throws Exception {
        encoders = List.of(H264Encoder.OPENH264);
        leastFreeBytes = Long.MAX_VALUE / 2;
        Asset clip = clipOfTwoFormats();

        scaled().request(clip.id());

        awaitLine("asset=" + clip.id() + " scaled MP4 waits for disk space");
        Await.until(() -> waiting() == 1);
        assertFalse(Files.exists(folder(clip).resolve(Renditions.REFUSED)));
    }

    @Test
    void request_whileTheStoreIsAway_waits() throws Exception {
        store.isAway = true;
        Asset clip = clipOfTwoFormats();

        scaled().request(clip.id());

        awaitLine("asset=" + clip.id() + " scaled MP4 waits for its source: S3: away");
        Await.until(() -> waiting() == 1);
    }

    /** A year from now, all that wait are due. */
    private long waiting() {
        var load = jobs.load(Instant.now().plusSeconds(31_536_000)).get("rendition");
        return load == null ? 0 : Objects.requireNonNull(load).waiting();
    }

    @Test
    void request_ofAnAssetThatNeedsNone_doesNothing() throws Exception {
        Asset small = room.stored(AssetFixture.finished(RANGE_US));
        Recording _ = EncodedMedia.record(folder(small));
        Asset unknown = room.stored(AssetState.RECORDING);
        Asset made = clipOfTwoFormats();
        Files.createDirectory(folder(made).resolve(Renditions.FOLDER));
        ScaledMp4 scaled = scaled();

        for (Asset asset : List.of(small, unknown, made)) {
            scaled.request(asset.id());
        }

        Await.until(() -> store.calls.size() >= 3);
        awaitNoJob();
        for (Asset asset : List.of(small, unknown, made)) {
            assertFalse(Files.exists(folder(asset).resolve(Renditions.REFUSED)));
        }
    }

    @Test
    void request_ofADamagedInitSegment_isRefusedWithTheReason() throws Exception {
        Asset asset = room.stored(AssetFixture.finished(RANGE_US));
        Recording _ = EncodedMedia.record(folder(asset));
        Files.write(folder(asset).resolve("init0.mp4"), new byte[16]);

        scaled().request(asset.id());

        assertEquals("init segment without moov\n", refusal(asset));
    }

    /** A folder where a file should be: no fault of the media. */
    @Test
    void request_ofUnreadableMedia_isRefusedAfterItsTries() throws Exception {
        Asset asset = room.stored(AssetFixture.finished(RANGE_US));
        Recording _ = EncodedMedia.record(folder(asset));
        Files.delete(folder(asset).resolve("init0.mp4"));
        Files.createDirectory(folder(asset).resolve("init0.mp4"));
        scaled().request(asset.id());
        Await.until(() -> waiting() == 1 && jobs.failedRuns("rendition") == 1);

        try (Connection connection = room.database().dataSource().getConnection();
                PreparedStatement tried =
                        connection.prepareStatement(
                                "update jobs set consecutive_failures = 4, execution_time = ?")) {
            tried.setTimestamp(1, Timestamp.from(Instant.now().minusSeconds(1)));
            assertEquals(1, tried.executeUpdate());
        }
        jobs.poll();

        assertEquals("it could not be made in 4 tries\n", refusal(asset));
    }

    @Test
    void cancel_whatWaits_removesItsJob() throws Exception {
        store.isAway = true;
        Asset clip = clipOfTwoFormats();
        ScaledMp4 scaled = scaled();
        scaled.request(clip.id());
        Await.until(() -> waiting() == 1);

        scaled.cancel(clip.id());

        Await.until(() -> waiting() == 0);
    }
}
