package touchline.api.session;

import java.nio.file.Path;
import java.time.InstantSource;
import touchline.api.db.MediaSequences;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.config.PackagerConfig;
import touchline.packager.hls.MediaMemory;

/**
 * What every session works with; all shared, none owned.
 *
 * @param ledger stores what happens to sessions
 * @param memory where finished parts live
 * @param assets what is recorded
 * @param spool folder of what only the live window needs; emptied at every start
 * @param minFreeBytes storing stops when the disk has less free
 * @param moderation what looks at the pictures of those that are to be moderated
 */
public record SessionRooms(
        StreamRepository streams,
        SessionRepository sessions,
        SessionLedger ledger,
        MediaSequences sequences,
        PlaybackResolver playback,
        PackagerConfig packager,
        MediaMemory memory,
        AssetKeeper assets,
        Path spool,
        long minFreeBytes,
        ModerationParts moderation,
        InstantSource clock) {}
