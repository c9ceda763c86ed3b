package touchline.packager.hls;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import touchline.media.CodecConfig;
import touchline.media.hub.TrackLabel;
import touchline.packager.hls.MultivariantPlaylist.Variant;

/**
 * What playlists say about all renditions of a source: the multivariant playlist, and reports in
 * media playlists. Any thread.
 */
final class RenditionPlaylists {
    private final LiveWindow source;
    private final Map<String, RenditionFollower> followers;

    /** Of audio renditions. */
    private final Map<String, TrackLabel> labels = new ConcurrentHashMap<>();

    /**
     * @param followers by name, as they are now
     */
    RenditionPlaylists(LiveWindow source, Map<String, RenditionFollower> followers) {
        this.source = source;
        this.followers = followers;
        labels.put(LiveRenditions.SOURCE_AUDIO, new TrackLabel("", "Main"));
    }

    /** What viewers are shown of an audio rendition. */
    void label(String name, TrackLabel label) {
        labels.put(name, label);
    }

    /**
     * The multivariant playlist: the source first, then what viewers see of the renditions, in
     * falling height. With further audio, the playlists of the frames and an audio group.
     *
     * @param prefix of addresses, with the session
     */
    Optional<String> multivariant(String prefix) {
        AudioGroup audio = audio(prefix);
        Optional<MultivariantPlaylist> frames = variant(LiveRenditions.SOURCE_FRAMES);
        if (!audio.isEmpty() && frames.isPresent()) {
            List<Variant> all = new ArrayList<>();
            all.add(new Variant(frames.get(), frames(prefix)));
            all.addAll(variants(prefix, /* framesAlone= */ true));
            return Optional.of(MultivariantPlaylist.text(all, audio));
        }
        return source.playlists()
                .variant()
                .map(
                        best -> {
                            List<Variant> all = new ArrayList<>();
                            all.add(new Variant(best, prefix + "/media.m3u8"));
                            all.addAll(variants(prefix, /* framesAlone= */ false));
                            return MultivariantPlaylist.text(all);
                        });
    }

    private static String frames(String prefix) {
        return prefix + '/' + LiveRenditions.SOURCE_FRAMES + "/media.m3u8";
    }

    private Optional<MultivariantPlaylist> variant(String name) {
        RenditionFollower follower = followers.get(name);
        LiveWindow window = follower == null ? null : follower.window();
        return window == null ? Optional.empty() : window.playlists().variant();
    }

    private List<Variant> variants(String prefix, boolean framesAlone) {
        List<Variant> variants = new ArrayList<>();
        String suffix = framesAlone ? LiveRenditions.FRAMES_ALONE : "";
        for (RenditionFollower each : followers.values()) {
            LiveWindow window = each.window(framesAlone);
            if (window != null && each.isVideo() && !each.isOfSource()) {
                String uri = prefix + '/' + each.name() + suffix + "/media.m3u8";
                window.playlists()
                        .variant()
                        .map(own -> new Variant(own, uri))
                        .ifPresent(variants::add);
            }
        }
        variants.sort(Comparator.comparingInt(RenditionPlaylists::height).reversed());
        return variants;
    }

    /** The source's audio, and the further ones; none unless there are both. */
    private AudioGroup audio(String prefix) {
        List<AudioGroup.Member> members = new ArrayList<>();
        for (RenditionFollower each : followers.values()) {
            TrackLabel label = labels.get(each.name());
            if (label != null && !each.isVideo()) {
                String uri = prefix + '/' + each.name() + "/media.m3u8";
                variant(each.name())
                        .flatMap(own -> own.audio().map(codec -> member(label, codec, uri, own)))
                        .ifPresent(members::add);
            }
        }
        members.sort(Comparator.comparing(AudioGroup.Member::uri));
        boolean hasSource = variant(LiveRenditions.SOURCE_AUDIO).isPresent();
        return hasSource && members.size() > 1 ? new AudioGroup(members) : AudioGroup.NONE;
    }

    private static AudioGroup.Member member(
            TrackLabel label, CodecConfig codec, String uri, MultivariantPlaylist own) {
        return new AudioGroup.Member(label, codec, uri, own.peakBps(), own.averageBps());
    }

    private static int height(Variant variant) {
        return variant.media().format().map(format -> format.height()).orElse(0);
    }

    /**
     * EXT-X-RENDITION-REPORT lines (draft-pantos-hls-rfc8216bis-20, 4.4.5.4) of all but one; where
     * parts are listed. A player has either the playlists with audio or those without.
     *
     * @param except the rendition whose playlist gets them; null for the source's
     */
    String reports(@Nullable String except) {
        if (!source.settings().profile().listsParts() || followers.isEmpty()) {
            return "";
        }
        StringBuilder out = new StringBuilder();
        boolean separate = except != null && isSeparate(except);
        if (except != null && !separate) {
            source.playlists().end().ifPresent(end -> append(out, "../media.m3u8", end));
        }
        String base = except == null ? "" : "../";
        for (RenditionFollower each : followers.values()) {
            String own = each.name();
            boolean framesAlone = separate && !isSeparate(own);
            LiveWindow window = each.window(framesAlone);
            String name = framesAlone ? own + LiveRenditions.FRAMES_ALONE : own;
            if (window != null && separate == isSeparate(name) && !name.equals(except)) {
                window.playlists()
                        .end()
                        .ifPresent(end -> append(out, base + name + "/media.m3u8", end));
            }
        }
        return out.toString();
    }

    /** Frames alone, or audio alone. */
    private boolean isSeparate(String name) {
        RenditionFollower follower = followers.get(name);
        return name.endsWith(LiveRenditions.FRAMES_ALONE)
                || (follower != null && !follower.isVideo());
    }

    private static void append(StringBuilder out, String uri, PlaylistEnd end) {
        out.append("#EXT-X-RENDITION-REPORT:URI=\"").append(uri);
        out.append("\",LAST-MSN=").append(end.mediaSequence());
        out.append(",LAST-PART=").append(end.part()).append('\n');
    }
}
