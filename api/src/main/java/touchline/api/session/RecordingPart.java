package touchline.api.session;

import java.util.Optional;
import touchline.api.asset.RecordingAsset;
import touchline.api.domain.AssetId;
import touchline.media.Timeline;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.PartSink;
import touchline.packager.record.Recorder;

/**
 * A part of a session's recording: what is stored without a gap. The packager's thread writes, the
 * session's thread closes it.
 */
interface RecordingPart extends PartSink, AutoCloseable {
    /** The asset that it is; empty where only the live window is stored. */
    Optional<AssetId> asset();

    /** Instead of {@link #end}: the next start of the server goes on with it. */
    void suspend();

    /** Waits until everything is stored. */
    @Override
    void close();

    /** One that stores the live window only. */
    static RecordingPart spool(Recorder recorder) {
        return new Stored(recorder, Optional.empty());
    }

    /** One that is an asset. */
    static RecordingPart of(Recorder recorder, RecordingAsset asset) {
        return new Stored(recorder, Optional.of(asset));
    }

    /**
     * A recorder, and the asset that it reports to.
     *
     * @param recording empty if only the live window is stored
     */
    record Stored(Recorder recorder, Optional<RecordingAsset> recording) implements RecordingPart {
        @Override
        public Optional<AssetId> asset() {
            return recording.map(open -> open.asset().id());
        }

        @Override
        public void initSegment(int number, Timeline timeline, MediaBlock bytes) {
            recorder.initSegment(number, timeline, bytes);
        }

        @Override
        public void part(FinishedPart part) {
            recorder.part(part);
        }

        @Override
        public void sealed(SealedSegment segment) {
            recorder.sealed(segment);
        }

        @Override
        public void end() {
            recorder.end();
        }

        @Override
        public void suspend() {
            recorder.suspend();
        }

        @Override
        public double fullness() {
            return recorder.fullness();
        }

        @Override
        public void close() {
            recorder.close();
            // After the recorder, which reports its result.
            recording.ifPresent(RecordingAsset::close);
        }
    }
}
