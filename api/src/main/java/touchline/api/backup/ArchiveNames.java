package touchline.api.backup;

import java.util.List;
import java.util.regex.Pattern;

/** Names of the entries of a backup. A name that is not of this form is refused. */
final class ArchiveNames {
    /** First entry: {@link BackupManifest}. */
    static final String MANIFEST = "manifest.json";

    /** Last entry, in the format of {@code sha256sum}: covers all others. */
    static final String SUMS = "SHA256SUMS";

    /** One file a table, as {@link touchline.api.db.DatabaseSnapshot} writes it, by gzip. */
    static final String DATABASE = "database/";

    static final String TABLE_SUFFIX = ".jsonl.gz";

    /** Folders of recordings and clips. */
    static final String ASSETS = "assets/";

    /** Evidence frames of moderation. */
    static final String EVIDENCE = "evidence/";

    /** Files of the data folder with secrets. */
    static final String KEYS = "keys/";

    private static final List<String> FOLDERS = List.of(DATABASE, ASSETS, EVIDENCE, KEYS);

    /** A name never begins with a dot, so it leads nowhere else and hides nothing. */
    private static final Pattern PATH =
            Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*){1,4}");

    private ArchiveNames() {}

    /** Whether a backup may hold a file of this name, besides the first and the last entry. */
    static boolean isAllowed(String name) {
        return FOLDERS.stream().anyMatch(name::startsWith)
                && PATH.matcher(name).matches()
                && TarHeader.fits(name);
    }

    static String ofTable(String table) {
        return DATABASE + table + TABLE_SUFFIX;
    }

    /** The table of an entry that {@link #DATABASE} begins. */
    static String tableOf(String name) throws DamagedArchiveException {
        String file = name.substring(DATABASE.length());
        if (!file.endsWith(TABLE_SUFFIX) || file.indexOf('/') >= 0) {
            throw new DamagedArchiveException(name + ": no table");
        }
        return file.substring(0, file.length() - TABLE_SUFFIX.length());
    }
}
