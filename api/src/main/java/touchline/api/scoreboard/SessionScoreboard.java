package touchline.api.scoreboard;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.WatermarkSettings;
import touchline.media.SessionId;
import touchline.media.hub.LiveStream;
import touchline.overlay.AudioStage;
import touchline.overlay.HtmlLayer;
import touchline.overlay.OverlayLayer;
import touchline.overlay.OverlaySpec;
import touchline.overlay.stream.OverlayStream;
import touchline.overlay.stream.ProgramAudio;

/**
 * The layers over one session's frames: a page, or an overlay stream with audio. Guarded by the
 * lock of the owning {@link SessionProgram}.
 */
final class SessionScoreboard {
    private final LiveStream live;
    private final OverlayDependencies dependencies;
    private final OverlayReports reports;
    private final Supplier<Optional<LiveStream>> pushes;

    private ProgramAudio audio = new ProgramAudio(System::nanoTime, /* expectsOverlay= */ false);
    private @Nullable HtmlLayer page;
    private @Nullable OverlayStream second;
    private @Nullable SessionId attached;

    /**
     * @param pushes the stream's scoreboard push, if one sends
     */
    SessionScoreboard(
            LiveStream live,
            OverlayDependencies dependencies,
            OverlayReports reports,
            Supplier<Optional<LiveStream>> pushes) {
        this.live = live;
        this.dependencies = dependencies;
        this.reports = reports;
        this.pushes = pushes;
    }

    /** Creates the audio stage of a new compositor, which closes it. */
    AudioStage newAudio(WatermarkSettings wanted) {
        boolean comes = wanted instanceof WatermarkSettings.Stream;
        audio = new ProgramAudio(System::nanoTime, comes);
        return audio.stage();
    }

    /**
     * Applies the settings, or their changes.
     *
     * @return new layers for the compositor; empty if its layers stay
     */
    Optional<List<OverlayLayer>> show(OverlaySpec spec) {
        return switch (spec) {
            case OverlaySpec.Html html -> showPage(html);
            case OverlaySpec.Stream stream -> showPush(stream);
        };
    }

    private Optional<List<OverlayLayer>> showPage(OverlaySpec.Html html) {
        if (page != null) {
            page.change(html);
            return Optional.empty();
        }
        clear();
        HtmlLayer shown =
                new HtmlLayer(live.stream(), html, dependencies.pages(), reports, System::nanoTime);
        page = shown;
        return Optional.of(List.of(shown));
    }

    private Optional<List<OverlayLayer>> showPush(OverlaySpec.Stream stream) {
        if (second != null) {
            second.change(stream);
            return Optional.empty();
        }
        clear();
        OverlayStream shown = new OverlayStream(live.stream(), stream, audio, System::nanoTime);
        second = shown;
        pushes.get().ifPresent(this::pushStarted);
        return Optional.of(List.of(shown.layer()));
    }

    /** Shows a scoreboard push that has started; it may be shown already. */
    void pushStarted(LiveStream push) {
        if (second != null && !push.session().equals(attached)) {
            attached = push.session();
            second.attach(push.source().subscribe("scoreboard", OverlayStream.QUEUE_BYTES));
            reports.loaded();
        }
    }

    /** The encoder of the scoreboard push has disconnected or reconnected. */
    void pushPresent(boolean present) {
        if (second == null) {
            return;
        }
        if (present) {
            reports.recovered();
        } else {
            reports.failed("the scoreboard push has stopped");
        }
    }

    /** Shows no overlay, and plays the main audio only. */
    void clear() {
        HtmlLayer oldPage = page;
        OverlayStream oldPush = second;
        page = null;
        second = null;
        attached = null;
        if (oldPage != null) {
            oldPage.close();
        }
        if (oldPush != null) {
            oldPush.close();
        }
    }
}
