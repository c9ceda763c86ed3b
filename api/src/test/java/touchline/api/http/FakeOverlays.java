package touchline.api.http;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import touchline.api.scoreboard.OverlayControl;
import touchline.media.StreamId;

/** OverlayControl without compositors; it records its calls. */
final class FakeOverlays implements OverlayControl {
    /** Content of a preview; empty where nothing is composited. */
    volatile Optional<byte[]> frame = Optional.of(new byte[] {(byte) 0x89, 'P', 'N', 'G'});

    volatile boolean room = true;
    volatile Push push = Push.IDLE;

    /** The streams with a changed scoreboard, oldest first. */
    final List<StreamId> changes = new CopyOnWriteArrayList<>();

    @Override
    public boolean hasRoom(StreamId stream) {
        return room;
    }

    @Override
    public void watermarkChanged(StreamId stream) {
        changes.add(stream);
    }

    @Override
    public Push push(StreamId stream) {
        return push;
    }

    @Override
    public Optional<byte[]> preview(StreamId stream) {
        return frame;
    }
}
