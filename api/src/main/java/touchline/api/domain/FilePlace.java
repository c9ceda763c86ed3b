package touchline.api.domain;

/** Where the files of an asset or of an evidence frame were stored. */
public enum FilePlace {
    /** On the disk of this server. */
    HERE,

    /** On that of another node of the cluster, which runs. */
    ELSEWHERE,

    /** On that of a node that does not run, or of an unknown one. */
    GONE
}
