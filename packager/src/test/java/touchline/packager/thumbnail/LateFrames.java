package touchline.packager.thumbnail;

import java.io.IOException;
import java.util.Optional;
import touchline.media.SessionId;
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.MediaBody;

/** A session of which the first minutes are no longer kept. */
record LateFrames(FrameSource kept, long byUs) implements FrameSource {
    @Override
    public SessionId session() {
        return kept.session();
    }

    @Override
    public long mediaUs(long timeUs) throws IOException {
        return kept.mediaUs(timeUs) - byUs;
    }

    @Override
    public Optional<Span> spanAt(long mediaUs) {
        return kept.spanAt(mediaUs);
    }

    @Override
    public Optional<Span> newest() {
        return kept.newest();
    }

    @Override
    public Optional<MediaBody> initSegment(int number) {
        return kept.initSegment(number);
    }

    @Override
    public Optional<MediaBody> media(long mediaSequence) throws IOException {
        return kept.media(mediaSequence);
    }
}
