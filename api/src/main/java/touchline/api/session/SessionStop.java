package touchline.api.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.AssetId;
import touchline.media.hub.LiveStream;
import touchline.packager.hls.LiveWindow;

/**
 * What a planned stop of the server does to one session. With a reconnect window it stays open: its
 * playlists get no EXT-X-ENDLIST, its recording is not finished, and the next start continues it.
 * Any thread.
 */
final class SessionStop {
    private final LiveStream live;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Opened opened;

    @GuardedBy("lock")
    private boolean leftOpen;

    @GuardedBy("lock")
    private boolean released;

    private record Opened(LiveWindow window, SessionRecording recording) {
        void leaveOpen() {
            window.leaveOpen();
            recording.leaveOpen();
        }
    }

    SessionStop(LiveStream live) {
        this.live = live;
    }

    /** The session takes media from now on. */
    void opened(LiveWindow window, SessionRecording recording) {
        lock.lock();
        try {
            opened = new Opened(window, recording);
            if (leftOpen) {
                opened.leaveOpen();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The server stops. Called before the hub ends the session. */
    void leaveOpen() {
        lock.lock();
        try {
            leftOpen = live.reconnectWindow().isPositive();
            if (leftOpen && opened != null) {
                opened.leaveOpen();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Any other node may go on with the session. Its recording here ends, unless that node can go
     * on with it too. Called before the hub ends the session.
     */
    void release() {
        lock.lock();
        try {
            leftOpen = live.reconnectWindow().isPositive();
            released = leftOpen;
            if (leftOpen && opened != null) {
                opened.window().leaveOpen();
                opened.recording().giveUp();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether its viewers stay until the server has stopped: the next start continues it. */
    boolean leavesViewers() {
        lock.lock();
        try {
            return goesOn() && !released;
        } finally {
            lock.unlock();
        }
    }

    /** The asset that the next start continues. */
    Optional<AssetId> asset(SessionRecording recording) {
        return leavesViewers() ? recording.openAsset() : Optional.empty();
    }

    /** The asset that another node may go on with. */
    Optional<AssetId> givenUp(SessionRecording recording) {
        return leavesViewers() ? Optional.empty() : recording.openAsset();
    }

    /** Whether the session continues at the next start; known when the hub has ended it. */
    boolean goesOn() {
        lock.lock();
        try {
            return leftOpen && live.interrupted().isPresent();
        } finally {
            lock.unlock();
        }
    }
}
