package touchline.media.transcode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.concurrent.LogContext;
import touchline.media.hub.FeedReader;

/**
 * Replaces audio that viewers cannot play by AAC-LC. Everything else passes unchanged, without
 * another thread. FFmpeg runs on a platform thread of this reader, which starts with the first
 * timeline that needs it; the reading thread waits for it, so the order of items stays. Where audio
 * cannot be transcoded, video goes on alone until the next timeline.
 *
 * <p>One reading thread, which may be a virtual thread; {@link #audio} by any.
 */
public final class TranscodingReader implements FeedReader {
    private static final Logger log = LoggerFactory.getLogger(TranscodingReader.class);

    private final FeedReader source;
    private final Predicate<CodecConfig> transcoded;
    private final String name;
    private final List<FeedItem> batch = new ArrayList<>();

    private @Nullable ExecutorService thread;
    private @Nullable LiveAudioTranscoder transcoder;

    /** The audio of the current timeline is replaced. */
    private boolean replaces;

    // Written by the reading thread.
    private volatile @Nullable CodecConfig audio;

    /**
     * @param source owned: closed with this
     * @param transcoded the audio to replace
     * @param name of the session, for the log and for the thread's name
     */
    public TranscodingReader(FeedReader source, Predicate<CodecConfig> transcoded, String name) {
        this.source = source;
        this.transcoded = transcoded;
        this.name = name;
    }

    /** Codec of the newest audio track passed on; empty before, and without audio. */
    public Optional<CodecConfig> audio() {
        return Optional.ofNullable(audio);
    }

    @Override
    public boolean drain(Consumer<? super FeedItem> reader) throws InterruptedException {
        boolean more = source.drain(batch::add);
        try {
            for (FeedItem item : batch) {
                pass(item, reader);
            }
        } finally {
            batch.clear();
        }
        return more || finish(reader);
    }

    @Override
    public long droppedUnits() {
        return source.droppedUnits();
    }

    @Override
    public void handsOnTo(DoubleSupplier fullness) {
        source.handsOnTo(fullness);
    }

    private void pass(FeedItem item, Consumer<? super FeedItem> reader)
            throws InterruptedException {
        switch (item) {
            case AccessUnit unit -> {
                if (replaces && !unit.track().isVideo()) {
                    transcode(unit).forEach(reader);
                } else {
                    reader.accept(unit);
                }
            }
            case Timeline started -> {
                finish(reader);
                reader.accept(begin(started));
            }
            case Interruption gone -> {
                finish(reader);
                reader.accept(gone);
            }
        }
    }

    private Timeline begin(Timeline started) throws InterruptedException {
        Optional<Track> track = started.audio();
        replaces = track.isPresent() && transcoded.test(track.get().codec());
        Timeline shown = replaces ? replaced(started, track.orElseThrow()) : started;
        audio = shown.audio().map(Track::codec).orElse(null);
        return shown;
    }

    private Timeline replaced(Timeline started, Track before) throws InterruptedException {
        List<Track> tracks = new ArrayList<>(2);
        started.video().ifPresent(tracks::add);
        try {
            LiveAudioTranscoder opened = onThread(() -> LiveAudioTranscoder.open(before));
            transcoder = opened;
            tracks.add(opened.track());
            log.info(
                    "session={} audio is transcoded from {} to AAC",
                    name,
                    before.codec().rfc6381());
        } catch (RuntimeException e) {
            log.error("session={} audio cannot be transcoded", name, e);
        }
        // Audio alone that cannot be transcoded: the timeline stays empty.
        return tracks.isEmpty()
                ? started
                : new Timeline(started.sequence(), tracks, started.startUs(), started.startedAt());
    }

    private List<AccessUnit> transcode(AccessUnit unit) throws InterruptedException {
        LiveAudioTranscoder open = transcoder;
        if (open == null) {
            return List.of();
        }
        try {
            return onThread(() -> open.transcode(unit));
        } catch (RuntimeException e) {
            log.error("session={} audio cannot be transcoded any more", name, e);
            end(open);
            return List.of();
        }
    }

    /** Passes the remaining audio of the timeline; false if there is none. */
    private boolean finish(Consumer<? super FeedItem> reader) throws InterruptedException {
        LiveAudioTranscoder open = transcoder;
        if (open == null) {
            return false;
        }
        try {
            List<AccessUnit> rest = onThread(open::finish);
            rest.forEach(reader);
            return !rest.isEmpty();
        } catch (RuntimeException e) {
            log.error("session={} the end of the audio cannot be transcoded", name, e);
            return false;
        } finally {
            end(open);
        }
    }

    private void end(LiveAudioTranscoder open) {
        transcoder = null;
        executor().execute(open::close);
    }

    /** FFmpeg's calls would pin a virtual thread to its carrier. */
    private <T> T onThread(Callable<T> call) throws InterruptedException {
        try {
            FutureTask<T> task = new FutureTask<>(call);
            executor().execute(LogContext.carried(task));
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(e.getCause());
        }
    }

    private ExecutorService executor() {
        ExecutorService open = thread;
        if (open == null) {
            open =
                    Executors.newSingleThreadExecutor(
                            Thread.ofPlatform().name("audio-" + name).daemon().factory());
            thread = open;
        }
        return open;
    }

    /** Called by the reading thread. */
    @Override
    public void close() {
        source.close();
        LiveAudioTranscoder open = transcoder;
        if (open != null) {
            end(open);
        }
        ExecutorService started = thread;
        thread = null;
        if (started != null) {
            // Runs what was submitted, then ends.
            started.shutdown();
        }
    }
}
