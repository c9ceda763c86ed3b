package touchline.api.session;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.packager.record.Recorder;
import touchline.packager.record.Recording;

/** Says in the log what became of a session's media on disk. */
final class StorageLog implements Recorder.Listener {
    private static final Logger log = LoggerFactory.getLogger(StorageLog.class);

    private final StreamId stream;
    private final SessionId session;

    StorageLog(StreamId stream, SessionId session) {
        this.stream = stream;
        this.session = session;
    }

    @Override
    public void segmentStored(Recording.Segment segment) {
        log.debug("stream={} session={} stored {}", stream, session, segment.fileName());
    }

    @Override
    public void failed(Recorder.Failure failure, String message) {
        log.warn(
                "stream={} session={} storing has stopped ({}): {}",
                stream,
                session,
                failure,
                message);
    }

    @Override
    public void ended(Recording recording) {
        log.info(
                "stream={} session={} stored {} segments, {} ms",
                stream,
                session,
                recording.segments().size(),
                recording.durationUs() / 1_000);
    }
}
