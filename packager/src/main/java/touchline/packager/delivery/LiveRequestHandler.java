package touchline.packager.delivery;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.packager.audience.StreamViewers;
import touchline.packager.audience.ViewerSession;
import touchline.packager.delivery.PlaybackTarget.Item;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.RenderedPlaylist;

/**
 * Answers one connection's requests to live sessions; holds requests for media that is not
 * available yet. Event loop only.
 */
final class LiveRequestHandler {
    /** Checks again whether the viewer may see it; answers a refusal itself, or runs the work. */
    @FunctionalInterface
    interface Recheck {
        void thenRun(HlsExchange exchange, Runnable work);
    }

    private final PlaybackAnswers answers;
    private final BlockingReload reloads;
    private final Recheck recheck;
    private final ConnectionViewers viewers;
    private final DeliveryCounters counters;
    private final PendingRequest pending;

    /** Of this request; null where it is not counted. */
    private @Nullable ViewerSession viewer;

    LiveRequestHandler(
            PlaybackAnswers answers,
            BlockingReload reloads,
            Recheck recheck,
            ConnectionViewers viewers,
            DeliveryCounters counters) {
        this.answers = answers;
        this.reloads = reloads;
        this.recheck = recheck;
        this.viewers = viewers;
        this.counters = counters;
        this.pending = new PendingRequest(answers, reloads.executor());
    }

    /** Answers now, or when the media is available. */
    void answer(HlsExchange exchange, PlaybackDecision.Live live) {
        boolean restricted = live.restricted();
        Item item = exchange.target().item();
        viewer = null;
        switch (item) {
            case Item.Multivariant _ -> multivariant(exchange, live);
            case Item.MediaPlaylist(String id) ->
                    in(exchange, live, id, session -> answer(exchange, restricted, session, item));
            case Item.InitSegment(String id, _) ->
                    in(exchange, live, id, session -> answer(exchange, restricted, session, item));
            case Item.Segment(String id, _) -> {
                counters.sourceRequested();
                in(exchange, live, id, session -> answer(exchange, restricted, session, item));
            }
            case Item.Part(String id, _, _) -> {
                counters.sourceRequested();
                in(exchange, live, id, session -> answer(exchange, restricted, session, item));
            }
            case Item.OfRendition(String id, String name, Item of) ->
                    in(
                            exchange,
                            live,
                            id,
                            session -> rendition(exchange, restricted, session, name, of));
            case Item.RunInit _, Item.Mp4 _, Item.Thumbnail _, Item.Chapters _ ->
                    answers.error(ErrorEnvelope.NOT_FOUND);
        }
    }

    private void in(
            HlsExchange exchange,
            PlaybackDecision.Live live,
            String session,
            Consumer<LivePlayback> then) {
        for (LivePlayback candidate : live.sessions()) {
            if (candidate.session().value().equals(session)) {
                if (live.viewers().isPresent()) {
                    viewer = viewers.asked(exchange, live.viewers().get());
                }
                then.accept(candidate);
                return;
            }
        }
        answers.error(ErrorEnvelope.NOT_FOUND);
    }

    private void rendition(
            HlsExchange exchange, boolean restricted, LivePlayback source, String name, Item item) {
        Optional<LivePlayback> found = source.rendition(name);
        if (found.isPresent()) {
            if (item instanceof Item.Segment || item instanceof Item.Part) {
                counters.renditionRequested(name);
            }
            answer(exchange, restricted, found.get(), item);
        } else if (item instanceof Item.MediaPlaylist && source.awaited().isPresent()) {
            whenShown(
                    exchange,
                    restricted,
                    source,
                    () -> rendition(exchange, restricted, source, name, item));
        } else {
            answers.error(ErrorEnvelope.NOT_FOUND);
        }
    }

    /**
     * @param session the source's, or a rendition's
     */
    private void answer(HlsExchange exchange, boolean restricted, LivePlayback session, Item item) {
        switch (item) {
            case Item.MediaPlaylist _ -> reload(exchange, restricted, session);
            case Item.InitSegment init ->
                    media(
                            exchange,
                            restricted,
                            session.initSegment(init.number()),
                            () -> session.whenInit(init.number()));
            case Item.RunInit init ->
                    media(
                            exchange,
                            restricted,
                            session.initSegment(init.number(), init.run()),
                            () -> session.whenInit(init.number(), init.run()));
            case Item.Segment segment ->
                    media(
                            exchange,
                            restricted,
                            session.segment(segment.mediaSequence()),
                            () -> session.whenSegment(segment.mediaSequence()));
            case Item.Part part -> part(exchange, restricted, session, part);
            case Item.Multivariant _,
                    Item.Mp4 _,
                    Item.Thumbnail _,
                    Item.Chapters _,
                    Item.OfRendition _ ->
                    answers.error(ErrorEnvelope.NOT_FOUND);
        }
    }

    /** With {@code dvr=1} it names the source's media playlist from the session's start. */
    private void multivariant(HlsExchange exchange, PlaybackDecision.Live live) {
        String id = exchange.target().playbackId();
        String prefix = live.grant().map(grant -> id + "/~" + grant + '/').orElse(id + '/');
        if (!live.running() || live.sessions().isEmpty()) {
            answers.error(ErrorEnvelope.NOT_FOUND);
            return;
        }
        began(exchange, live.viewers());
        LivePlayback newest = live.sessions().getFirst();
        whenShown(
                exchange,
                live.restricted(),
                newest,
                () -> multivariant(exchange, live, newest, prefix));
    }

    private void multivariant(
            HlsExchange exchange, PlaybackDecision.Live live, LivePlayback newest, String prefix) {
        Optional<String> text =
                exchange.query().dvr()
                        ? newest.sourceMultivariant(prefix)
                                .map(all -> all.replace("/media.m3u8", "/media.m3u8?dvr=1"))
                        : newest.multivariant(prefix);
        text.ifPresentOrElse(
                shown -> answers.multivariant(exchange, live.restricted(), shown),
                () -> answers.error(ErrorEnvelope.NOT_FOUND));
    }

    /** A player may begin here. */
    void began(HlsExchange exchange, Optional<StreamViewers> counted) {
        counted.ifPresent(stream -> viewers.began(exchange, stream));
    }

    /** draft-pantos-hls-rfc8216bis-20, 6.2.5.2. */
    private void reload(HlsExchange exchange, boolean restricted, LivePlayback session) {
        PlaybackQuery query = exchange.query();
        if (query.mediaSequence().isEmpty()) {
            whenShown(exchange, restricted, session, () -> playlist(exchange, restricted, session));
            return;
        }
        long mediaSequence = query.mediaSequence().getAsLong();
        hold(
                outcome -> {
                    switch (outcome) {
                        case AVAILABLE, ENDED ->
                                afterWait(
                                        exchange,
                                        restricted,
                                        () -> playlist(exchange, restricted, session));
                        case TOO_FAR_AHEAD ->
                                answers.error(
                                        ErrorEnvelope.badParameter(
                                                "_HLS_msn or _HLS_part: too far ahead"));
                        case TIMED_OUT -> answers.error(ErrorEnvelope.NO_NEW_MEDIA);
                        case UNREACHABLE -> answers.error(ErrorEnvelope.UNREACHABLE);
                        case FAILED -> answers.error(ErrorEnvelope.INTERNAL);
                    }
                },
                then -> reloads.await(session, mediaSequence, query.part(), then));
    }

    /** Now, unless the session goes on without its earlier segments: then with its first one. */
    private void whenShown(
            HlsExchange exchange, boolean restricted, LivePlayback session, Runnable work) {
        OptionalLong awaited = session.awaited();
        if (awaited.isEmpty()) {
            work.run();
            return;
        }
        hold(
                outcome -> {
                    switch (outcome) {
                        case AVAILABLE -> afterWait(exchange, restricted, work);
                        case ENDED, TOO_FAR_AHEAD -> answers.error(ErrorEnvelope.NOT_FOUND);
                        case TIMED_OUT -> answers.error(ErrorEnvelope.NO_NEW_MEDIA);
                        case UNREACHABLE -> answers.error(ErrorEnvelope.UNREACHABLE);
                        case FAILED -> answers.error(ErrorEnvelope.INTERNAL);
                    }
                },
                then -> reloads.await(session, awaited.getAsLong(), OptionalInt.empty(), then));
    }

    /** A key may be deleted, or a token expire, while the request waits. */
    private void afterWait(HlsExchange exchange, boolean restricted, Runnable work) {
        if (restricted) {
            recheck.thenRun(exchange, work);
        } else {
            work.run();
        }
    }

    private void playlist(HlsExchange exchange, boolean restricted, LivePlayback session) {
        if (exchange.forNode()) {
            await(
                    NodePlaylists.of(session, exchange.query().dvr()),
                    NodePlaylists::release,
                    found -> found.ifPresentOrElse(answers::playlists, answers::noPlaylist));
            return;
        }
        PlaylistKind window =
                exchange.query().skip() ? PlaylistKind.WINDOW_DELTA : PlaylistKind.WINDOW;
        if (!exchange.query().dvr()) {
            render(session, window, text -> shown(exchange, restricted, text, window));
            return;
        }
        render(
                session,
                PlaylistKind.FULL,
                full -> {
                    if (full.isPresent()) {
                        shown(exchange, restricted, full, PlaylistKind.FULL);
                    } else {
                        render(session, window, text -> shown(exchange, restricted, text, window));
                    }
                });
    }

    private void shown(
            HlsExchange exchange,
            boolean restricted,
            Optional<RenderedPlaylist> text,
            PlaylistKind kind) {
        text.ifPresentOrElse(
                found -> answers.playlist(exchange, restricted, found, kind),
                () -> answers.error(ErrorEnvelope.NOT_FOUND));
    }

    /** Calls back at once if the playlist is rendered, otherwise later on the event loop. */
    private void render(
            LivePlayback session, PlaylistKind kind, Consumer<Optional<RenderedPlaylist>> then) {
        await(session.mediaPlaylist(kind), RenderedPlaylist::release, then);
    }

    /**
     * A hinted part is held like a reload (the same draft, 6.2.6), until it is available or the
     * segment has ended without it.
     */
    private void part(
            HlsExchange exchange, boolean restricted, LivePlayback session, Item.Part part) {
        Optional<MediaBody> body = session.part(part.mediaSequence(), part.part());
        if (body.isPresent()) {
            send(exchange, restricted, body.get());
            return;
        }
        hold(
                outcome -> {
                    switch (outcome) {
                        case AVAILABLE ->
                                afterWait(
                                        exchange,
                                        restricted,
                                        () ->
                                                found(
                                                        exchange,
                                                        restricted,
                                                        session.part(
                                                                part.mediaSequence(),
                                                                part.part())));
                        case ENDED, TOO_FAR_AHEAD -> answers.error(ErrorEnvelope.NOT_FOUND);
                        case TIMED_OUT -> answers.error(ErrorEnvelope.NO_NEW_MEDIA);
                        case UNREACHABLE -> answers.error(ErrorEnvelope.UNREACHABLE);
                        case FAILED -> answers.error(ErrorEnvelope.INTERNAL);
                    }
                },
                then -> reloads.awaitPart(session, part.mediaSequence(), part.part(), then));
    }

    /**
     * @param other what another server has
     */
    private void media(
            HlsExchange exchange,
            boolean restricted,
            Optional<MediaBody> body,
            Supplier<CompletionStage<Optional<MediaBody>>> other) {
        if (body.isPresent()) {
            send(exchange, restricted, body.get());
        } else {
            await(other.get(), MediaBody::close, late -> found(exchange, restricted, late));
        }
    }

    private void found(HlsExchange exchange, boolean restricted, Optional<MediaBody> body) {
        body.ifPresentOrElse(
                found -> send(exchange, restricted, found),
                () -> answers.error(ErrorEnvelope.NOT_FOUND));
    }

    private void send(HlsExchange exchange, boolean restricted, MediaBody body) {
        if (viewer != null) {
            viewers.sent(exchange, viewer);
        }
        answers.media(exchange, restricted, body);
    }

    private void hold(
            Consumer<BlockingReload.Outcome> then,
            Function<Consumer<BlockingReload.Outcome>, BlockingReload.Wait> await) {
        pending.hold(then, await);
    }

    /** See {@link PendingRequest#await}. */
    <T> void await(
            CompletionStage<Optional<T>> stage, Consumer<T> unused, Consumer<Optional<T>> then) {
        pending.await(stage, unused, then);
    }

    /** Cancels the waiting request; false if there is none. */
    boolean stopWaiting() {
        return pending.cancel();
    }
}
